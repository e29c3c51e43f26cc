//! Numbers that are no member of their enum. Assembly can make them, and the old ABI coder lets them in; code of the
//! compiler carries them around, and panics as soon as it does anything with one.

use super::func::FnLower;
use super::unclean::assemblies;
use crate::hir::Hir;
use hornet_ir::ids::ExprId;
use hornet_ir::types::Type;

/// Whether the sources can make such numbers at all.
pub(super) fn has_strays(hir: &Hir) -> bool {
    let old_coder = hir.files.iter().any(|file| !file.abi_v2);
    let has_enums = !hir.enums.is_empty();
    has_enums && (old_coder || !assemblies(hir).is_empty())
}

impl FnLower<'_, '_> {
    /// A value is converted, compared, stored or encoded: then it must be a member if it is of an enum.
    pub(super) fn use_value(&mut self, value: ExprId) {
        let ty = self.low.program.exprs.ty(value);
        if self.low.strays && matches!(self.low.program.types.get(ty), Type::Enum(_)) {
            self.require_member(value);
        }
    }
}
