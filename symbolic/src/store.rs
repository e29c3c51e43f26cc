//! Statements that write: assignments to places, `delete`, lengths.

use crate::context::{Context, Res, Unsupported};
use crate::eval::Scope;
use crate::pointer::Spot;
use crate::state::State;
use crate::tree::Tree;
use hornet_ir::expr::Root;
use hornet_ir::ids::{ExprId, PlaceId, TypeId};
use hornet_ir::types::Type;
use hornet_smt::term::TermId;

impl Context<'_> {
    /// The storage spots that a place may be, each with its condition. `None` if the place is not in storage.
    pub fn storage_spots(&mut self, scope: &Scope, place: PlaceId) -> Res<Option<Vec<(TermId, Spot)>>> {
        let place = self.program.exprs.place(place).clone();
        let mut spots = match place.root {
            Root::State(var) => {
                let root_ty = self.program.state[var].ty;
                let spot = Spot { var: crate::Var::State(var), root_ty, keys: Vec::new(), outside: None };
                vec![(self.terms.bool(true), spot)]
            }
            Root::Storage(reference) => {
                let ty = self.referent(reference)?;
                let reference = self.eval(scope, reference)?;
                self.spots(ty, &reference)?
            }
            Root::Memory(_) | Root::Calldata(_) => return Ok(None),
        };
        for step in &place.steps {
            let key = self.key(scope, *step)?;
            spots.iter_mut().for_each(|(_, spot)| spot.keys.push(key.clone()));
        }
        Ok(Some(spots))
    }

    /// What a reference expression points to.
    pub(crate) fn referent(&self, reference: ExprId) -> Res<TypeId> {
        let ty = self.program.exprs.ty(reference);
        self.program
            .types
            .referent(ty)
            .ok_or_else(|| Unsupported::new("place behind something that is no reference"))
    }

    /// `place = value`, of the place's type.
    pub fn store(&mut self, scope: &Scope, state: &mut State, place: PlaceId, value: &Tree) -> Res<()> {
        match self.storage_spots(scope, place)? {
            Some(spots) => {
                self.change_spots(state, &spots, &mut |cx, ty, old| cx.overwritten(ty, old, value))
            }
            None => self.store_memory(scope, state, place, value),
        }
    }

    /// Makes what is at a place in `to` what it is in `from`, if `cond` holds. The place is evaluated in `scope`.
    pub fn copy_place(
        &mut self,
        scope: &Scope,
        cond: TermId,
        place: PlaceId,
        from: &State,
        to: &mut State,
    ) -> Res<()> {
        let Some(spots) = self.storage_spots(scope, place)? else {
            return Err(Unsupported::new("a place that is not in storage"));
        };
        for (here, spot) in spots {
            let value = self.read_spot(from, &spot)?;
            let cond = self.terms.and(cond, here);
            self.change_spot(to, cond, &spot, &mut |_, _, _| Ok(value.clone()))?;
        }
        Ok(())
    }

    /// As [`Context::copy_place`], only for the length of the array there.
    pub fn copy_length(
        &mut self,
        scope: &Scope,
        cond: TermId,
        place: PlaceId,
        from: &State,
        to: &mut State,
    ) -> Res<()> {
        let spots = self.storage_spots(scope, place)?.unwrap_or_default();
        for (here, spot) in spots {
            let length = self.read_spot(from, &spot)?[0];
            let cond = self.terms.and(cond, here);
            self.change_spot(to, cond, &spot, &mut |_, _, old| {
                Ok([length].into_iter().chain(old[1..].iter().copied()).collect())
            })?;
        }
        Ok(())
    }

    pub fn delete(&mut self, scope: &Scope, state: &mut State, place: PlaceId) -> Res<()> {
        let ty = self.program.exprs.place_ty(place);
        let zero = self.zero(ty)?;
        self.store(scope, state, place, &zero)
    }

    fn change_spots(
        &mut self,
        state: &mut State,
        spots: &[(TermId, Spot)],
        change: &mut dyn FnMut(&mut Self, TypeId, &Tree) -> Res<Tree>,
    ) -> Res<()> {
        for (cond, spot) in spots {
            self.change_spot(state, *cond, spot, change)?;
        }
        Ok(())
    }

    /// A tree in storage after another was stored over it: mappings inside stay.
    fn overwritten(&mut self, ty: TypeId, old: &Tree, new: &Tree) -> Res<Tree> {
        if matches!(self.program.types.get(ty), Type::Mapping { .. }) {
            return Err(Unsupported::new("assignment of a mapping"));
        }
        let shape = self.shape(ty)?;
        let leaves = shape.iter().zip(old.iter().zip(new.iter()));
        Ok(leaves.map(|(leaf, (old, new))| if leaf.in_mapping { *old } else { *new }).collect())
    }

    /// Resizes a dynamic array or bytes in storage.
    pub fn set_length(
        &mut self,
        scope: &Scope,
        state: &mut State,
        place: PlaceId,
        length: TermId,
    ) -> Res<()> {
        let Some(spots) = self.storage_spots(scope, place)? else {
            return Err(Unsupported::new("new length of an array that is not in storage"));
        };
        self.change_spots(state, &spots, &mut |cx, ty, old| cx.resized(ty, old, length))
    }

    fn resized(&mut self, ty: TypeId, old: &Tree, length: TermId) -> Res<Tree> {
        let shape = self.shape(ty)?;
        let is_bytes = matches!(self.program.types.get(ty), Type::Bytes);
        let mut leaves = vec![length];
        for (leaf, data) in shape.iter().zip(old.iter()).skip(1) {
            if leaf.in_mapping {
                leaves.push(*data);
                continue;
            }
            let zero = self.blank_element(leaf);
            leaves.push(if is_bytes {
                self.cut_off(*data, old[0], length, zero)
            } else {
                self.zeroed_beyond(*data, old[0], length, zero)
            });
        }
        Ok(leaves.into())
    }

    /// Elements that an array gains are zero, and so are those it loses: a reference may still lead to one. Where storage
    /// is written raw, what is gained is what was there.
    fn zeroed_beyond(&mut self, data: TermId, old: TermId, new: TermId, zero: TermId) -> TermId {
        match self.difference(new, old) {
            Some(1) if self.wild.raw_storage => data,
            Some(1) => self.terms.store(data, old, zero),
            Some(0) => data,
            Some(-1) => self.terms.store(data, new, zero),
            _ => {
                let i = self.fresh_index();
                let (gained, lost) = (self.in_bounds(i, old, new), self.in_bounds(i, new, old));
                let cleared = if self.wild.raw_storage { lost } else { self.terms.or(gained, lost) };
                let element = self.terms.select(data, i);
                let body = self.terms.ite(cleared, zero, element);
                self.terms.lambda(i, body)
            }
        }
    }

    /// Bytes stay zero beyond their length, and so do arrays in memory that are made shorter.
    pub(crate) fn cut_off(&mut self, data: TermId, old: TermId, new: TermId, zero: TermId) -> TermId {
        match self.difference(new, old) {
            Some(d) if d >= 0 => data,
            Some(-1) => self.terms.store(data, new, zero),
            _ => {
                let i = self.fresh_index();
                let first = self.word(0);
                let kept = self.in_bounds(i, first, new);
                let element = self.terms.select(data, i);
                let body = self.terms.ite(kept, element, zero);
                self.terms.lambda(i, body)
            }
        }
    }

    /// `a - b` where it is plain from the terms.
    fn difference(&mut self, a: TermId, b: TermId) -> Option<i64> {
        if a == b {
            return Some(0);
        }
        let difference = match self.terms.sort(a) {
            hornet_smt::term::Sort::Int => self.terms.sub(a, b),
            _ => self.terms.bv_sub(a, b),
        };
        let value = self.terms.as_int(difference)?;
        value.try_into().ok()
    }
}
