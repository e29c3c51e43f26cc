//! `hornet ir`: prints the middle language.

use crate::Exit;
use crate::args::IrArgs;
use crate::input::{among, contracts_named, load};
use hornet_ir::ids::{ContractId, ProcId};
use hornet_ir::program::Program;
use hornet_ir::text;
use std::io::Write;

pub fn run(args: &IrArgs) -> Exit {
    let Some(loaded) = load(&args.sources) else { return Exit::BadInput };
    let program = &loaded.program;
    let text = match select(program, args) {
        Ok(text) => text,
        Err(message) => {
            eprintln!("error: {message}");
            return Exit::BadInput;
        }
    };
    if args.check {
        let violations = hornet_ir::validate(program);
        for violation in &violations {
            eprintln!("error: {}", violation.describe(program));
        }
        if !violations.is_empty() {
            return Exit::Found;
        }
    }
    // Nobody reading any more is not an error.
    let _ = std::io::stdout().lock().write_all(text.as_bytes());
    Exit::Ok
}

fn select(program: &Program, args: &IrArgs) -> Result<String, String> {
    let contracts = match &args.contract {
        Some(name) => Some(contracts_named(program, name)?),
        None => None,
    };
    match (&args.function, contracts) {
        (None, None) => Ok(text::print(program)),
        (None, Some(contracts)) => {
            let texts: Vec<String> = contracts.iter().map(|c| text::print_contract(program, *c)).collect();
            Ok(texts.join("\n"))
        }
        (Some(function), contracts) => {
            let procs = procs_named(program, function, contracts.as_deref())?;
            Ok(text::print_procs(program, &procs))
        }
    }
}

/// Procedures of that name, and what entries of that name lead to.
fn procs_named(
    program: &Program,
    name: &str,
    contracts: Option<&[ContractId]>,
) -> Result<Vec<ProcId>, String> {
    let chosen = |contract: Option<ContractId>| match contracts {
        Some(list) => contract.is_some_and(|c| list.contains(&c)),
        None => true,
    };
    let entries: Vec<ProcId> = program
        .contracts
        .iter_ids()
        .filter(|(id, _)| chosen(Some(*id)))
        .flat_map(|(_, c)| c.entries.iter().filter(|e| e.name == name || e.signature == name).map(|e| e.proc))
        .collect();
    let found: Vec<ProcId> = program
        .procs
        .iter_ids()
        .filter(|(id, p)| chosen(p.contract) && (plain(&p.name) == name || entries.contains(id)))
        .map(|(id, _)| id)
        .collect();
    if !found.is_empty() {
        return Ok(found);
    }
    let names: Vec<&str> =
        program.procs.iter().filter(|p| chosen(p.contract)).map(|p| plain(&p.name)).collect();
    Err(format!("no function is called `{name}`{}", among(&names)))
}

/// The name of the function itself where a procedure's name is qualified by a base contract.
fn plain(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}
