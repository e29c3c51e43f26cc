//! Elements far out. The slots of storage go round: an array that is long enough reaches every variable there is, and
//! what is written to such an element is written to one of them.

use crate::context::{Context, Res, Unsupported, WORD};
use crate::pointer::Spot;
use crate::raw::APPROXIMATED;
use crate::state::State;
use crate::tree::{Key, Tree};
use hornet_ir::U256;
use hornet_ir::ids::TypeId;
use hornet_ir::program::Program;
use hornet_ir::types::Type;
use hornet_smt::term::TermId;

/// Whoever pays for each element gets no further.
const PAID_FOR: U256 = U256::from_limbs([u64::MAX, 0, 0, 0]);

/// Whether a value of the type has an array of fixed length in it that nobody could fill.
pub(crate) fn has_huge_array(program: &Program, ty: TypeId) -> bool {
    fn search(program: &Program, ty: TypeId, depth: u32) -> bool {
        let inner = |ty: TypeId| depth > 16 || search(program, ty, depth + 1);
        match program.types.get(ty) {
            Type::Array { len, elem } => len.is_some_and(|len| len > PAID_FOR) || inner(*elem),
            Type::Struct(id) => program.types.structs[*id].fields.iter().any(|field| inner(field.ty)),
            Type::Mapping { value, .. } => inner(*value),
            _ => false,
        }
    }
    search(program, ty, 0)
}

impl Context<'_> {
    /// Whether a spot is far out; `None` if it cannot be.
    fn is_far(&mut self, spot: &Spot) -> Res<Option<TermId>> {
        let mut far = Vec::new();
        let mut ty = spot.root_ty;
        for key in &spot.keys {
            let reaches = match self.program.types.get(ty) {
                Type::Bytes | Type::Array { len: None, .. } => self.wild.long_arrays,
                Type::Array { len: Some(len), .. } => *len > PAID_FOR,
                _ => false,
            };
            if let (Key::Index(index), true) = (key, reaches) {
                let (zero, end) = (self.word(0), self.constant(&WORD, PAID_FOR));
                let near = self.in_bounds(index[0], zero, end);
                far.push(self.terms.not(near));
            }
            ty = self.type_at(ty, std::slice::from_ref(key))?;
        }
        let far = self.terms.or_all(far);
        Ok((self.terms.as_bool(far) != Some(false)).then_some(far))
    }

    /// What is read at a spot: anything, if it is far out.
    pub(crate) fn unless_far(&mut self, spot: &Spot, value: Tree) -> Res<Tree> {
        let Some(far) = self.is_far(spot)? else { return Ok(value) };
        if !self.open_facts.is_empty() {
            return Err(Unsupported::new(
                "elements of an array that may reach all of storage, under a quantifier",
            ));
        }
        let ty = self.type_at(spot.root_ty, &spot.keys)?;
        let other = self.fresh(APPROXIMATED, ty)?;
        Ok(self.ite(far, &other, &value))
    }

    /// After something was written to a spot, if `cond` holds: whatever is there, if it is far out.
    pub(crate) fn blur_if_far(&mut self, state: &mut State, cond: TermId, spot: &Spot) -> Res<()> {
        let Some(far) = self.is_far(spot)? else { return Ok(()) };
        let elsewhere = self.terms.and(cond, far);
        for var in self.storage_vars() {
            let (unknown, before) = (self.blurred(var)?, self.get(state, var)?);
            let after = self.ite(elsewhere, &unknown, &before);
            state.set(var, after);
        }
        Ok(())
    }
}
