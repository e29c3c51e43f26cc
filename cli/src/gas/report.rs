//! Everything that one run of `hornet gas` has to say, in whatever format.

use super::args::{GasArgs, Measure};
use super::budget::{Budgets, Checked};
use super::contract::{ContractGas, FunctionGas};
use super::remark::{GasLimit, Remark, remarks};
use super::task::{Task, is_called};
use crate::project::Accepted;
use crate::sources::SourceFiles;
use hornet_ir::diag::Diagnostic;
use hornet_ir::ids::ContractId;
use hornet_ir::program::Program;

pub struct Report<'a> {
    pub program: &'a Program,
    pub files: &'a SourceFiles<'a>,
    pub warnings: &'a [Diagnostic],
    /// Something could not be measured; the warnings begin with why.
    pub failures: &'a [Diagnostic],
    pub measure: Measure,
    pub contracts: Vec<ContractReport<'a>>,
}

pub struct ContractReport<'a> {
    pub gas: &'a ContractGas,
    pub functions: Vec<FunctionReport<'a>>,
    pub deployment_budgets: Vec<Checked>,
    /// Remarks that somebody lives with: names of the contract, the function and the kind.
    lived_with: Vec<[String; 3]>,
}

pub struct FunctionReport<'a> {
    pub function: &'a FunctionGas,
    pub remarks: Vec<Remark>,
    pub budgets: Vec<Checked>,
}

impl<'a> ContractReport<'a> {
    /// Puts what was measured beside what was asked for.
    pub fn new(
        gas: &'a ContractGas,
        budgets: &Budgets,
        args: &GasArgs,
        task: &Task,
    ) -> Result<Self, Diagnostic> {
        let limit = GasLimit::new(gas.build.fork, task.project.settings.gas_limit.value);
        let name = &task.loaded.program.contracts[gas.contract].name;
        let accepted = &task.project.settings.accepted;
        let (mut functions, mut lived_with) = (Vec::new(), Vec::new());
        let asked = |f: &&FunctionGas| {
            args.functions.is_empty() || args.functions.iter().any(|name| is_called(&f.signature, name))
        };
        for function in gas.functions.iter().filter(asked) {
            let mut checked = Vec::new();
            for budget in budgets.of_function(name, function) {
                budget.check_names(function)?;
                let verdict = budget.check(function, args.measure, limit);
                checked.push(Checked { budget: budget.clone(), verdict });
            }
            let known = |remark: &Remark| {
                let kind = remark.kind.name();
                accepted.iter().any(|accepted| accepted.covers(name, &function.signature, kind))
            };
            let (known, remarks): (Vec<_>, Vec<_>) = remarks(function, limit).into_iter().partition(known);
            let of = |remark: &Remark| [name, &function.signature, remark.kind.name()].map(str::to_owned);
            lived_with.extend(known.iter().map(of));
            functions.push(FunctionReport { function, remarks, budgets: checked });
        }
        let deployment = budgets.of_deployment(name, gas).map(|budget| Checked {
            budget: budget.clone(),
            verdict: budget.check_deployment(gas, args.measure),
        });
        let deployment_budgets = deployment.collect();
        Ok(ContractReport { gas, functions, deployment_budgets, lived_with })
    }

    /// Whether anything here is lived with for this reason.
    pub fn is_covered(&self, accepted: &Accepted) -> bool {
        self.lived_with.iter().any(|[contract, function, kind]| accepted.covers(contract, function, kind))
    }

    /// Everything that has a budget, by name.
    pub fn budgets(&self) -> impl Iterator<Item = (&str, &Checked)> {
        let of_functions = self
            .functions
            .iter()
            .flat_map(|f| f.budgets.iter().map(|checked| (f.function.signature.as_str(), checked)));
        of_functions.chain(self.deployment_budgets.iter().map(|checked| ("(deployment)", checked)))
    }
}

impl Report<'_> {
    /// With its file where several contracts are called the same.
    pub fn unique_name(&self, id: ContractId) -> String {
        let contract = &self.program.contracts[id];
        let same = |other: &&ContractReport| self.program.contracts[other.gas.contract].name == contract.name;
        match self.contracts.iter().filter(same).count() {
            0 | 1 => contract.name.clone(),
            _ => format!("{}:{}", contract.file, contract.name),
        }
    }

    pub fn budgets(&self) -> impl Iterator<Item = (String, &Checked)> {
        self.contracts.iter().flat_map(|contract| {
            let name = &self.program.contracts[contract.gas.contract].name;
            contract.budgets().map(move |(function, checked)| (format!("{name}.{function}"), checked))
        })
    }
}
