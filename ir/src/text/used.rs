//! Which definitions a part of a program mentions.

use crate::ids::{EnumId, EventId, ExprId, ProcId, StateVarId, StructId, TypeId};
use crate::program::{Program, StmtKind};
use crate::types::Type;
use crate::visit::{Roots, for_operands, for_place_operands};
use rustc_hash::FxHashSet;

#[derive(Default)]
pub(crate) struct Used {
    pub structs: FxHashSet<StructId>,
    pub enums: FxHashSet<EnumId>,
    pub events: FxHashSet<EventId>,
}

impl Used {
    pub fn new(program: &Program, procs: &[ProcId], state: &[StateVarId]) -> Used {
        let mut used = Used::default();
        let mut types: Vec<TypeId> = state.iter().map(|v| program.state[*v].ty).collect();
        for proc in procs.iter().map(|p| &program.procs[*p]) {
            types.extend(proc.rets.iter().copied().chain(proc.locals.iter().map(|l| l.ty)));
            let mut roots = Roots::default();
            for block in proc.blocks.iter() {
                for stmt in &block.stmts {
                    roots.stmt(&stmt.kind);
                    if let StmtKind::Emit { event: Some(event), .. } = stmt.kind
                        && let Some(def) = program.events.get(event)
                    {
                        used.events.insert(event);
                        types.extend(def.params.iter().map(|p| p.ty));
                    }
                }
                roots.terminator(&block.terminator);
            }
            expression_types(program, &roots, &mut types);
        }
        used.close(program, types);
        used
    }

    fn close(&mut self, program: &Program, mut work: Vec<TypeId>) {
        let mut seen = FxHashSet::default();
        while let Some(ty) = work.pop() {
            if !seen.insert(ty) {
                continue;
            }
            match program.types.get(ty) {
                Type::Enum(id) => {
                    self.enums.insert(*id);
                }
                Type::Struct(id) => {
                    self.structs.insert(*id);
                    work.extend(program.types.structs[*id].fields.iter().map(|f| f.ty));
                }
                Type::Array { elem: t, .. }
                | Type::StorageRef(t)
                | Type::MemoryRef(t)
                | Type::CalldataRef(t) => work.push(*t),
                Type::Mapping { key, value } => work.extend([*key, *value]),
                Type::Bool
                | Type::Int { .. }
                | Type::FixedBytes(_)
                | Type::Address
                | Type::FnInternal
                | Type::FnExternal
                | Type::Bytes => {}
            }
        }
    }
}

fn expression_types(program: &Program, roots: &Roots, types: &mut Vec<TypeId>) {
    let exprs = &program.exprs;
    let mut work: Vec<ExprId> = roots.exprs.clone();
    roots.places.iter().for_each(|p| for_place_operands(exprs, *p, &mut |e| work.push(e)));
    let mut seen = FxHashSet::default();
    while let Some(id) = work.pop() {
        if seen.insert(id) {
            types.push(exprs.ty(id));
            for_operands(exprs, exprs.get(id), &mut |e| work.push(e));
        }
    }
}
