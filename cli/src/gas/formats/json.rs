//! What programs read. The shape is part of the interface: fields may be added, none changes its meaning.

use crate::gas::args::Measure;
use crate::gas::budget::Checked;
use crate::gas::contract::FunctionGas;
use crate::gas::growth::Growth;
use crate::gas::remark::Remark;
use crate::gas::report::{ContractReport, FunctionReport, Report};
use crate::gas::runs::Run;
use crate::rows::{DiagnosticRow, Location, diagnostic_row, location};
use crate::sources::SourceFiles;
use hornet_evm::measure::Measurement;
use hornet_ir::diag::Diagnostic;
use serde::Serialize;

#[derive(Serialize)]
struct Document<'a> {
    schema: u32,
    /// What budgets and snapshots are about: `execution` or `transaction`.
    measure: Option<&'static str>,
    contracts: Vec<ContractRow<'a>>,
    diagnostics: Vec<DiagnosticRow<'a>>,
}

#[derive(Serialize)]
struct ContractRow<'a> {
    contract: &'a str,
    file: &'a str,
    compiler: String,
    optimizer_runs: Option<u32>,
    via_ir: bool,
    evm_version: Option<&'static str>,
    fork: &'static str,
    deployment: DeploymentRow<'a>,
    /// Proved, and true in all states that runs begin in.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    invariants: &'a [String],
    functions: Vec<FunctionRow<'a>>,
}

#[derive(Serialize)]
struct DeploymentRow<'a> {
    code_bytes: usize,
    #[serde(flatten)]
    gas: Option<GasRow>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unknown: Option<&'a str>,
    /// The dearest that were found, where the constructor takes some.
    #[serde(skip_serializing_if = "Option::is_none")]
    arguments: Option<&'a [String]>,
    budgets: Vec<BudgetRow<'a>>,
}

#[derive(Serialize)]
struct GasRow {
    /// By the code that ran, before refunds, with what others used whom it called.
    execution: u64,
    /// The part that others used.
    callees: u64,
    /// For being a transaction, and for its bytes.
    intrinsic: u64,
    calldata: u64,
    refund: u64,
    /// What the sender pays for.
    transaction: u64,
}

#[derive(Serialize)]
struct FunctionRow<'a> {
    function: &'a str,
    signature: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    location: Option<Location<'a>>,
    ceiling: CeilingRow<'a>,
    worst_seen: Option<RunRow<'a>>,
    /// Ceiling by what was seen, of the contract's own code.
    ratio: Option<f64>,
    /// The formula held against executions.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    growth: Vec<GrowthRow<'a>>,
    classes: Vec<RunRow<'a>>,
    classes_complete: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    classes_incomplete_because: Option<&'a str>,
    budgets: Vec<BudgetRow<'a>>,
    findings: Vec<FindingRow<'a>>,
}

/// Without what others use whom the function calls.
#[derive(Serialize)]
struct CeilingRow<'a> {
    bounded: bool,
    /// Where it is a number.
    execution: Option<u64>,
    transaction: Option<u64>,
    /// Where it depends on something.
    #[serde(skip_serializing_if = "Option::is_none")]
    execution_formula: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    transaction_formula: Option<String>,
    parameters: Vec<&'a str>,
    /// Others that it calls; what they use is not in the ceiling.
    calls: Vec<Option<Location<'a>>>,
}

#[derive(Serialize)]
struct RunRow<'a> {
    #[serde(flatten)]
    gas: GasRow,
    returns: bool,
    conditions: &'a [String],
    ceiling: Option<u64>,
    parameters: Vec<ParameterRow<'a>>,
    from: String,
    value: String,
    data: String,
}

#[derive(Serialize)]
struct ParameterRow<'a> {
    name: &'a str,
    value: u64,
}

#[derive(Serialize)]
struct GrowthRow<'a> {
    parameter: &'a str,
    confirmed: bool,
    points: Vec<PointRow>,
}

#[derive(Serialize)]
struct PointRow {
    size: u64,
    execution: u64,
    ceiling: u64,
}

#[derive(Serialize)]
struct BudgetRow<'a> {
    budget: &'a str,
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    location: Location<'a>,
}

#[derive(Serialize)]
struct FindingRow<'a> {
    kind: &'static str,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    location: Option<Location<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<&'a str>,
}

impl Report<'_> {
    pub fn json(&self) -> String {
        text(&Document {
            schema: 1,
            measure: Some(self.measure.name()),
            contracts: self.contracts.iter().map(|contract| self.contract_row(contract)).collect(),
            diagnostics: self.warnings.iter().map(|d| diagnostic_row(self.files, d)).collect(),
        })
    }

    fn contract_row<'a>(&'a self, report: &'a ContractReport) -> ContractRow<'a> {
        let contract = &self.program.contracts[report.gas.contract];
        let (build, deployment) = (&report.gas.build, &report.gas.deployment);
        ContractRow {
            contract: &contract.name,
            file: &contract.file,
            compiler: build.output.compiler(),
            optimizer_runs: build.settings.optimizer_runs,
            via_ir: build.settings.via_ir,
            evm_version: build.target.map(|fork| fork.name()),
            fork: build.fork.name(),
            invariants: &report.gas.invariants,
            deployment: DeploymentRow {
                code_bytes: deployment.code_bytes,
                gas: deployment.measured.as_ref().ok().map(gas_row),
                unknown: deployment.measured.as_ref().err().map(String::as_str),
                arguments: deployment.arguments.as_deref(),
                budgets: report.deployment_budgets.iter().map(|b| self.budget_row(b)).collect(),
            },
            functions: report.functions.iter().map(|function| self.function_row(function)).collect(),
        }
    }

    fn function_row<'a>(&'a self, report: &'a FunctionReport) -> FunctionRow<'a> {
        let function = report.function;
        let dearest = function.runs.dearest();
        FunctionRow {
            function: function.name(),
            signature: &function.signature,
            location: function.span.map(|span| location(self.files, span)),
            ceiling: self.ceiling_row(function),
            worst_seen: dearest.map(run_row),
            ratio: dearest.and_then(Run::ratio),
            growth: function.growth.iter().map(growth_row).collect(),
            classes: function.runs.classes.iter().map(run_row).collect(),
            classes_complete: function.runs.incomplete.is_none(),
            classes_incomplete_because: function.runs.incomplete.as_deref(),
            budgets: report.budgets.iter().map(|budget| self.budget_row(budget)).collect(),
            findings: report.remarks.iter().map(|remark| self.finding_row(remark)).collect(),
        }
    }

    fn ceiling_row<'a>(&'a self, function: &'a FunctionGas) -> CeilingRow<'a> {
        let bounded = function.is_bounded();
        let of = |measure| function.ceiling_of(measure).filter(|_| bounded);
        let number = |measure| of(measure).filter(|f| f.products.is_empty()).map(|f| f.offset);
        let formula = |measure| of(measure).filter(|f| !f.products.is_empty()).map(|f| f.to_string());
        let calls = function.ceiling.calls.iter();
        CeilingRow {
            bounded,
            execution: number(Measure::Execution),
            transaction: number(Measure::Transaction),
            execution_formula: formula(Measure::Execution),
            transaction_formula: formula(Measure::Transaction),
            parameters: function.ceiling.execution.parameters().iter().map(|p| p.name.as_str()).collect(),
            calls: calls.map(|(pc, _)| function.place(*pc).map(|span| location(self.files, span))).collect(),
        }
    }

    fn budget_row<'a>(&'a self, checked: &'a Checked) -> BudgetRow<'a> {
        BudgetRow {
            budget: &checked.budget.text,
            verdict: checked.verdict.word(),
            reason: checked.verdict.why(),
            location: location(self.files, checked.budget.span),
        }
    }

    fn finding_row<'a>(&'a self, remark: &'a Remark) -> FindingRow<'a> {
        FindingRow {
            kind: remark.kind.name(),
            message: &remark.message,
            location: remark.place.as_ref().map(|(span, _)| location(self.files, *span)),
            help: remark.help.as_deref(),
        }
    }
}

/// Input that cannot be measured.
pub fn refusal(files: &SourceFiles<'_>, diagnostics: &[Diagnostic]) -> String {
    let diagnostics = diagnostics.iter().map(|d| diagnostic_row(files, d)).collect();
    text(&Document { schema: 1, measure: None, contracts: Vec::new(), diagnostics })
}

fn text(document: &Document) -> String {
    // Only strings, numbers and lists: nothing that could fail.
    serde_json::to_string_pretty(document).unwrap_or_default() + "\n"
}

fn gas_row(measured: &Measurement) -> GasRow {
    GasRow {
        execution: measured.execution,
        callees: measured.callees,
        intrinsic: measured.intrinsic,
        calldata: measured.calldata,
        refund: measured.refund,
        transaction: measured.total,
    }
}

fn run_row(run: &Run) -> RunRow<'_> {
    RunRow {
        gas: gas_row(&run.measurement),
        returns: run.measurement.outcome.success,
        conditions: &run.conditions,
        ceiling: run.ceiling,
        parameters: run.parameters.iter().map(|(name, value)| ParameterRow { name, value: *value }).collect(),
        from: run.message.from.to_string(),
        value: run.message.value.to_string(),
        data: run.message.data.iter().fold("0x".to_owned(), |text, byte| text + &format!("{byte:02x}")),
    }
}

fn growth_row(growth: &Growth) -> GrowthRow<'_> {
    let point = |(size, execution, ceiling): &(u64, u64, u64)| PointRow {
        size: *size,
        execution: *execution,
        ceiling: *ceiling,
    };
    GrowthRow {
        parameter: &growth.parameter,
        confirmed: growth.is_confirmed(),
        points: growth.points.iter().map(point).collect(),
    }
}
