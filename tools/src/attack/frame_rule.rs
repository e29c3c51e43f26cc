//! What a function changed although its `modifies` annotations do not say so.

use super::slots::Slots;
use hornet_ir::U256;
use hornet_ir::ids::{ProcId, TypeId};
use hornet_ir::interp::Interpreter;
use hornet_ir::interp::spec::Moment;
use hornet_ir::interp::storage::{self, PathStep};
use hornet_ir::interp::value::{StoragePtr, Value, element_count};
use hornet_ir::interp::world::World;
use hornet_ir::program::{Program, StateKind};
use hornet_ir::spec::ModifiesTarget;
use hornet_ir::types::Type;

/// Something that may change.
struct Permission {
    ptr: StoragePtr,
    ty: TypeId,
    only_length: bool,
}

struct Comparison<'a> {
    run: &'a Interpreter<'a>,
    now: Slots<'a>,
    past: Slots<'a>,
    permissions: Vec<Permission>,
}

/// Names as the engine's messages have them; `None` if it could not be found out.
pub fn illegal_changes(
    run: &Interpreter<'_>,
    program: &Program,
    proc: ProcId,
    past: &World,
    moment: &Moment<'_>,
) -> Option<Vec<String>> {
    let mut permissions = Vec::new();
    let mut richer = Vec::new();
    for modifies in program.procs[proc].spec.iter().flat_map(|spec| &spec.modifies) {
        let applies = modifies.cond.is_none_or(|cond| run.decide_in(past, cond, moment) == Some(true));
        match &modifies.target {
            _ if !applies => {}
            ModifiesTarget::Everything => return Some(Vec::new()),
            ModifiesTarget::Place(place) | ModifiesTarget::Length(place) => {
                let (ptr, ty) = run.place_of(*place, moment)?;
                let only_length = matches!(modifies.target, ModifiesTarget::Length(_));
                permissions.push(Permission { ptr, ty, only_length });
            }
            ModifiesTarget::Balance(account) => richer.push(run.number(*account, moment)?),
        }
    }
    let slots = |world| Slots { world, account: moment.this };
    let comparison = Comparison { run, now: slots(&run.world), past: slots(past), permissions };
    let mut changed = Vec::new();
    for var in &program.contracts[moment.contract].state {
        let var = &program.state[*var];
        let ptr = StoragePtr { slot: var.slot, offset: var.offset, transient: false };
        if var.kind == StateKind::Storage && comparison.differs(ptr, var.ty)? {
            changed.push(format!("`{}`", var.name));
        }
    }
    let us = num_bigint::BigInt::from_bytes_be(num_bigint::Sign::Plus, &moment.this.to_be_bytes::<32>());
    if run.world.balance(moment.this) != past.balance(moment.this) && !richer.contains(&us) {
        changed.push("balances".to_owned());
    }
    Some(changed)
}

impl Comparison<'_> {
    fn differs(&self, ptr: StoragePtr, ty: TypeId) -> Option<bool> {
        let permission = self.permissions.iter().find(|p| p.ptr == ptr && p.ty == ty);
        if permission.is_some_and(|p| !p.only_length) {
            return Some(false);
        }
        let types = &self.run.program().types;
        let index = |i: usize| PathStep::Index(Value::Word(U256::from(i)));
        let steps: Vec<PathStep> = match types.get(ty) {
            Type::Struct(id) => (0..types.structs[*id].fields.len()).map(PathStep::Field).collect(),
            Type::Mapping { .. } => {
                self.run.keys_of(self.now.account, ptr.slot).into_iter().map(PathStep::Index).collect()
            }
            Type::Array { .. } => {
                let length = storage::length(types, &self.now, ptr, ty).ok()?;
                let before = storage::length(types, &self.past, ptr, ty).ok()?;
                if length != before && permission.is_none() {
                    return Some(true);
                }
                (0..element_count(length.min(before)).ok()?).map(index).collect()
            }
            _ => {
                let now = storage::load(types, &self.now, ptr, ty).ok()?;
                return Some(now != storage::load(types, &self.past, ptr, ty).ok()?);
            }
        };
        for step in steps {
            let (inner, ty) = storage::step(types, &self.now, ptr, ty, &step).ok()?;
            if self.differs(inner, ty)? {
                return Some(true);
            }
        }
        Some(false)
    }
}
