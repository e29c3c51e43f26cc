//! Code that no transaction of its contract runs: it breaks nothing there, whatever it does. Where heirs run it, it is
//! verified with them; where nobody does, nobody should take that for more than it is.

use hornet_encoder::{CheckKey, Report, Verdict, Warning};
use hornet_ir::program::{ContractKind, Program};
use hornet_symbolic::exec::{Selection, heirs_that_run, is_run};
use std::collections::BTreeSet;

/// Decides what the language checks in such code, and warns of code that never runs.
pub fn dismiss(program: &Program, chosen: &dyn Selection, report: &mut Report) {
    let mut unused = BTreeSet::new();
    for i in 0..report.checks.len() {
        let key = report.key(&report.checks[i]);
        let check = &mut report.checks[i];
        if check.verdict == Verdict::Proved || !check.kind.is_language_check() {
            continue;
        }
        match runner(program, chosen, &key) {
            Runner::Itself | Runner::Stranger => continue,
            Runner::Heirs => {}
            Runner::Nobody => {
                unused.insert(check.function);
            }
        }
        check.verdict = Verdict::Proved;
        check.counterexample = None;
        check.related.clear();
        check.solver = None;
    }
    let warnings: Vec<Warning> = unused.into_iter().map(|at| warning(program, report, at)).collect();
    report.warnings.extend(warnings);
}

/// Who runs the code of a check.
enum Runner {
    /// The contract, or whoever uses what is not a contract.
    Itself,
    /// Only contracts that inherit from it, all of which are verified as well.
    Heirs,
    /// A contract that inherits from it, and that nobody looks at.
    Stranger,
    Nobody,
}

fn runner(program: &Program, chosen: &dyn Selection, key: &CheckKey) -> Runner {
    let deployed =
        matches!(program.contracts[key.contract].kind, ContractKind::Contract | ContractKind::Abstract);
    let own = key.function.filter(|id| deployed && program.procs[*id].contract == Some(key.contract));
    let Some(function) = own.filter(|id| !is_run(program, key.contract, *id)) else { return Runner::Itself };
    let heirs = heirs_that_run(program, key.contract, function);
    match heirs.iter().all(|heir| chosen.contract(*heir)) {
        true if heirs.is_empty() => Runner::Nobody,
        true => Runner::Heirs,
        false => Runner::Stranger,
    }
}

fn warning(program: &Program, report: &Report, function: usize) -> Warning {
    let function = &report.functions[function];
    let (name, contract) = (&function.name, &program.contracts[function.contract]);
    let (why, help) = match contract.kind {
        ContractKind::Abstract => (
            format!("`{}` is abstract, and no contract here runs `{name}`", contract.name),
            Some("verify it together with a contract that inherits from it".to_owned()),
        ),
        ContractKind::Contract | ContractKind::Interface | ContractKind::Library => {
            (format!("nothing calls `{name}`"), None)
        }
    };
    Warning { span: function.span, message: format!("{why}: its checks hold because it never runs"), help }
}
