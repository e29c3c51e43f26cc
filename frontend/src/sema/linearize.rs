//! Inheritance: base contracts and their C3 linearisation.

use super::{DeclScope, Sema, span_of};
use crate::hir::{BaseSpecifier, ContractId, ContractKind, Ref};
use hornet_ir::ids::Id;
use solang_parser::pt;
use std::collections::VecDeque;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Progress {
    Untouched,
    Open,
    Done,
}

impl<'a> Sema<'a> {
    pub(super) fn linearize(&mut self) {
        for contract in self.hir.contracts.ids() {
            self.resolve_bases(contract);
        }
        let mut progress = vec![Progress::Untouched; self.hir.contracts.len()];
        for root in self.hir.contracts.ids() {
            if progress[root.index()] != Progress::Untouched {
                continue;
            }
            progress[root.index()] = Progress::Open;
            let mut stack = vec![(root, 0)];
            while let Some((contract, next)) = stack.pop() {
                let Some(base) = self.hir.contracts[contract].bases.get(next) else {
                    progress[contract.index()] = Progress::Done;
                    self.linearize_one(contract);
                    continue;
                };
                let (base, span) = (base.contract, base.span);
                match progress[base.index()] {
                    Progress::Done => stack.push((contract, next + 1)),
                    Progress::Untouched => {
                        stack.extend([(contract, next + 1), (base, 0)]);
                        progress[base.index()] = Progress::Open;
                    }
                    Progress::Open => {
                        self.error(span, "definition of base has to precede definition of derived contract");
                        self.hir.contracts[contract].bases.remove(next);
                        // Positions of the others change: their arguments go untyped in this erroneous program.
                        self.pending.base_args.retain(|(c, ..)| *c != contract);
                        stack.push((contract, next));
                    }
                }
            }
        }
    }

    fn resolve_bases(&mut self, contract: ContractId) {
        let def = self.tables.contracts[contract];
        let kind = self.hir.contracts[contract].kind;
        let scope = DeclScope { file: self.hir.contracts[contract].span.file, contract: None };
        if kind == ContractKind::Library && !def.base.is_empty() {
            self.error(span_of(&def.base[0].loc), "library is not allowed to inherit");
            return;
        }
        for base in &def.base {
            let Some(id) = self.base_contract(base, scope, kind) else { continue };
            let index = self.hir.contracts[contract].bases.len();
            let duplicate = self.hir.contracts[contract].bases.iter().any(|b| b.contract == id);
            if duplicate {
                self.error(
                    span_of(&base.loc),
                    format!("base contract `{}` already listed", path_text(&base.name)),
                );
                continue;
            }
            self.hir.contracts[contract].bases.push(BaseSpecifier {
                contract: id,
                args: None,
                span: span_of(&base.loc),
            });
            if let Some(args) = &base.args {
                self.pending.base_args.push((contract, index, args));
            }
        }
    }

    fn base_contract(
        &mut self,
        base: &pt::Base,
        scope: DeclScope,
        derived: ContractKind,
    ) -> Option<ContractId> {
        let refs = self.lookup_path(&base.name.identifiers, scope);
        let span = span_of(&base.name.loc);
        let Some(&Ref::Contract(id)) = refs.first() else {
            let name = path_text(&base.name);
            let message = if refs.is_empty() {
                format!("identifier `{name}` not found or not unique")
            } else {
                format!("`{name}` is not a contract")
            };
            self.error(span, message);
            return None;
        };
        match (derived, self.hir.contracts[id].kind) {
            (_, ContractKind::Library) => {
                self.error(span, "libraries cannot be inherited from");
                None
            }
            (ContractKind::Interface, ContractKind::Contract) => {
                self.error(span, "interfaces can only inherit from other interfaces");
                None
            }
            _ => Some(id),
        }
    }

    fn linearize_one(&mut self, contract: ContractId) {
        let bases: Vec<ContractId> = self.hir.contracts[contract].bases.iter().map(|b| b.contract).collect();
        // The last base is the most derived one.
        let mut lists: Vec<VecDeque<ContractId>> =
            bases.iter().rev().map(|b| self.hir.contracts[*b].linearized.iter().copied().collect()).collect();
        lists.push(std::iter::once(contract).chain(bases.iter().rev().copied()).collect());
        let linearized = merge(lists).unwrap_or_else(|| {
            let span = self.hir.contracts[contract].name_span;
            self.error(span, "linearization of inheritance graph impossible");
            // Keeps going with every base once, so that the rest of the contract is still checked.
            let mut all = vec![contract];
            for base in bases.iter().rev().flat_map(|b| &self.hir.contracts[*b].linearized) {
                if !all.contains(base) {
                    all.push(*base);
                }
            }
            all
        });
        self.hir.contracts[contract].linearized = linearized;
        self.tables.bases_first.push(contract);
    }
}

/// C3 merge; `None` when no order respects all lists.
fn merge(mut lists: Vec<VecDeque<ContractId>>) -> Option<Vec<ContractId>> {
    let mut merged = Vec::new();
    loop {
        lists.retain(|list| !list.is_empty());
        if lists.is_empty() {
            return Some(merged);
        }
        let in_no_tail =
            |c: ContractId| !lists.iter().any(|list| list.iter().skip(1).any(|other| *other == c));
        let next = lists.iter().filter_map(|list| list.front().copied()).find(|c| in_no_tail(*c))?;
        merged.push(next);
        for list in &mut lists {
            if list.front() == Some(&next) {
                list.pop_front();
            }
        }
    }
}

pub(super) fn path_text(path: &pt::IdentifierPath) -> String {
    let names: Vec<&str> = path.identifiers.iter().map(|i| i.name.as_str()).collect();
    names.join(".")
}
