//! Raw data of the machine, which inline assembly and `msg.data` read.

use crate::context::{Context, Res};
use crate::eval::Scope;
use crate::state::Var;
use crate::tree::Tree;
use hornet_ir::ids::{ExprId, TypeId};
use hornet_ir::types::Type;

impl Context<'_> {
    /// What a reference to calldata at a raw position leads to.
    pub(crate) fn calldata_at(
        &mut self,
        scope: &Scope,
        offset: ExprId,
        length: ExprId,
        ty: TypeId,
    ) -> Res<Tree> {
        let (offset, length) = (self.scalar(scope, offset)?, self.scalar(scope, length)?);
        let referent = self.program.types.referent(ty).unwrap_or(ty);
        match self.program.types.get(referent) {
            Type::Bytes => {
                let data = self.get(scope.now, Var::CallData)?;
                Ok(self.slice(&data, offset, length))
            }
            // Of any contents; `length` is the length even if nobody could pay for so much data.
            Type::Array { len: None, .. } => {
                let contents = self.fresh("calldata", referent)?;
                Ok([length].into_iter().chain(contents[1..].iter().copied()).collect())
            }
            _ => self.fresh("calldata", referent),
        }
    }
}
