//! Which contracts and functions a run is about.

use crate::args::VerifyArgs;
use crate::input::{Loaded, among, contracts_named};
use hornet_encoder::Selection;
use hornet_ir::ids::{ContractId, ProcId};
use hornet_ir::program::Program;
use std::collections::HashSet;

/// Has no code, only invariants that must survive it.
const FORCED_ETHER: &str = "[receive_ether_selfdestruct]";

/// Contracts of the files asked for, unless some were named; all their functions, unless some were named.
pub struct Chosen {
    contracts: HashSet<ContractId>,
    procs: Option<HashSet<ProcId>>,
    names: Vec<String>,
}

impl Chosen {
    pub fn new(loaded: &Loaded, args: &VerifyArgs) -> Result<Chosen, String> {
        let program = &loaded.program;
        let mut contracts = HashSet::new();
        if args.contracts.is_empty() {
            let asked = program.contracts.iter_ids().filter(|(_, c)| loaded.roots.contains(&c.file));
            contracts.extend(asked.map(|(id, _)| id));
        }
        for name in &args.contracts {
            contracts.extend(contracts_named(program, name)?);
        }
        let mut procs = HashSet::new();
        for name in &args.functions {
            let found = procs_named(program, &contracts, name);
            if found.is_empty() && name != FORCED_ETHER {
                let names = names(program, &contracts);
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                return Err(format!("no function is called `{name}`{}", among(&names)));
            }
            procs.extend(found);
        }
        let procs = (!args.functions.is_empty()).then_some(procs);
        Ok(Chosen { contracts, procs, names: args.functions.clone() })
    }
}

/// The names a procedure's function goes by: its own, and its signature.
pub fn names_of(program: &Program, id: ProcId) -> Vec<String> {
    let proc = &program.procs[id];
    let Some(info) = &proc.function else { return Vec::new() };
    let mut names = vec![info.name.clone()];
    match (&info.signature, proc.contract) {
        (Some(signature), _) => names.push(signature.clone()),
        // The only one of its name, so the entry of that name leads to it.
        (None, Some(contract)) => {
            let entries = program.contracts[contract].entries.iter();
            names.extend(entries.filter(|e| e.name == info.name).map(|e| e.signature.clone()));
        }
        (None, None) => {}
    }
    names
}

fn procs_of<'p>(
    program: &'p Program,
    contracts: &'p HashSet<ContractId>,
) -> impl Iterator<Item = ProcId> + 'p {
    let chosen = |contract: Option<ContractId>| contract.is_some_and(|c| contracts.contains(&c));
    program.procs.iter_ids().filter(move |(_, p)| chosen(p.contract)).map(|(id, _)| id)
}

fn procs_named(program: &Program, contracts: &HashSet<ContractId>, name: &str) -> Vec<ProcId> {
    procs_of(program, contracts).filter(|id| names_of(program, *id).iter().any(|n| n == name)).collect()
}

fn names(program: &Program, contracts: &HashSet<ContractId>) -> Vec<String> {
    procs_of(program, contracts)
        .filter_map(|id| Some(program.procs[id].function.as_ref()?.name.clone()))
        .collect()
}

impl Selection for Chosen {
    fn contract(&self, contract: ContractId) -> bool {
        self.contracts.contains(&contract)
    }

    fn function(&self, _: ContractId, proc: ProcId, name: &str) -> bool {
        let chosen = |procs: &HashSet<ProcId>| procs.contains(&proc) || self.names.iter().any(|n| n == name);
        self.procs.as_ref().is_none_or(chosen)
    }
}
