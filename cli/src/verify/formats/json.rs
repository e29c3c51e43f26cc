//! What programs read. The shape is part of the interface: fields may be added, none changes its meaning.

use crate::rows::{DiagnosticRow, Location, diagnostic_row, location};
use crate::sources::SourceFiles;
use crate::verify::evidence::{Attempt, Evidence, Invariant, When};
use crate::verify::text::Results;
use crate::verify::told::ToldStep;
use hornet_encoder::{
    Binding, Check, Counterexample, FunctionReport, FunctionVerdict, Report, Verdict, Warning,
};
use hornet_ir::diag;
use hornet_ir::program::Program;
use hornet_ir::span::Span;
use hornet_ir::text::kind_name;
use serde::Serialize;

#[derive(Serialize)]
pub struct Document<'a> {
    schema: u32,
    /// Kinds of checks that `--without` leaves out.
    #[serde(skip_serializing_if = "Option::is_none")]
    without: Option<String>,
    checks: Vec<CheckRow<'a>>,
    functions: Vec<FunctionRow<'a>>,
    diagnostics: Vec<DiagnosticRow<'a>>,
}

#[derive(Serialize)]
struct CheckRow<'a> {
    contract: &'a str,
    function: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    signature: Option<&'a str>,
    kind: &'static str,
    location: Location<'a>,
    verdict: &'static str,
    /// Replayed on an EVM; a modular counterexample begins in a state, not with a deployment, and cannot be.
    confirmed: bool,
    engine: &'static str,
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    /// Why it is lived with, as `hornet.toml` says.
    #[serde(skip_serializing_if = "Option::is_none")]
    accepted: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    annotation: Option<Annotation<'a>>,
    /// Operations that lead to it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related: Vec<Related<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    counterexample: Option<Example<'a>>,
    /// The transactions of a run that breaks it, the deployment first.
    #[serde(skip_serializing_if = "Option::is_none")]
    trace: Option<&'a [ToldStep]>,
    /// Who made the code that the run was replayed with.
    #[serde(skip_serializing_if = "Option::is_none")]
    compiler: Option<&'a str>,
    /// Assertions that had to be switched off for it, because they fail first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    switched_off: Vec<Location<'a>>,
    /// What holds after every transaction and makes the proof, as a Solidity expression.
    #[serde(skip_serializing_if = "Option::is_none")]
    invariant: Option<String>,
    /// Everything that makes the proof, each with the moments at which it holds.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    invariants: Vec<InvariantRow<'a>>,
    /// Who worked on it.
    attempts: Vec<AttemptRow>,
    #[serde(skip_serializing_if = "Option::is_none")]
    solver: Option<&'a str>,
    time_ms: u128,
}

#[derive(Serialize)]
struct InvariantRow<'a> {
    when: &'static str,
    /// Absent if Solidity has no words for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<&'a str>,
    /// As an annotation before the contract or the loop.
    pastable: bool,
    /// The loop, where it is about one.
    #[serde(skip_serializing_if = "Option::is_none")]
    location: Option<Location<'a>>,
}

#[derive(Serialize)]
struct AttemptRow {
    engine: &'static str,
    time_ms: u128,
}

#[derive(Serialize)]
struct Annotation<'a> {
    text: &'a str,
    location: Location<'a>,
}

#[derive(Serialize)]
struct Related<'a> {
    message: &'a str,
    location: Location<'a>,
}

#[derive(Serialize)]
struct Example<'a> {
    parameters: Vec<Value<'a>>,
    state_before: Vec<Value<'a>>,
    locals: Vec<Value<'a>>,
    state_after: Vec<Value<'a>>,
    environment: Vec<Value<'a>>,
}

#[derive(Serialize)]
struct Value<'a> {
    name: &'a str,
    value: &'a str,
}

#[derive(Serialize)]
struct FunctionRow<'a> {
    contract: &'a str,
    function: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    signature: Option<&'a str>,
    verdict: &'static str,
    /// What is not modelled.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unsupported: Vec<Related<'a>>,
    location: Location<'a>,
    time_ms: u128,
}

impl<'a> Document<'a> {
    /// Only what was said about the input.
    pub fn of_diagnostics(files: &SourceFiles<'a>, diagnostics: &'a [diag::Diagnostic]) -> Self {
        let diagnostics = diagnostics.iter().map(|d| diagnostic_row(files, d)).collect();
        Document { schema: 1, without: None, checks: Vec::new(), functions: Vec::new(), diagnostics }
    }

    pub fn without(self, left_out: Option<String>) -> Self {
        Document { without: left_out, ..self }
    }

    /// On one line, with its end.
    pub fn text(&self) -> String {
        // Only strings, numbers and lists: nothing that could fail.
        let text = serde_json::to_string(self).unwrap_or_default();
        text + "\n"
    }
}

impl<'a> Results<'a> {
    /// Everything, for programs.
    pub fn document(&self) -> Document<'a> {
        let Results { program, files, report, evidence, diagnostics, .. } = *self;
        let mut document = Document::of_diagnostics(files, diagnostics);
        let maker = Maker { files, program, report };
        let checks = report.checks.iter().zip(evidence);
        document.checks.extend(checks.map(|(check, evidence)| CheckRow {
            accepted: self.accepted(check),
            ..maker.check(check, evidence)
        }));
        document.functions.extend(report.functions.iter().map(|function| maker.function(function)));
        document.diagnostics.extend(report.warnings.iter().map(|warning| warning_row(files, warning)));
        document
    }
}

struct Maker<'m, 'a> {
    files: &'m SourceFiles<'a>,
    program: &'a Program,
    report: &'a Report,
}

impl<'a> Maker<'_, 'a> {
    fn check(&self, check: &'a Check, evidence: &'a Evidence) -> CheckRow<'a> {
        let function = &self.report.functions[check.function];
        let (verdict, reason) = verdict(&check.verdict);
        let reason = reason.or_else(|| evidence.unconfirmed.clone());
        let annotation = check.annotation.as_ref();
        CheckRow {
            contract: &self.program.contracts[function.contract].name,
            function: &function.name,
            signature: function.signature.as_deref(),
            kind: kind_name(check.kind),
            location: location(self.files, check.span),
            verdict,
            confirmed: evidence.confirmed,
            engine: evidence.by.name(),
            message: evidence.message(check),
            reason,
            accepted: None,
            annotation: annotation
                .map(|(span, text)| Annotation { text, location: location(self.files, *span) }),
            related: check.related.iter().map(|(span, text)| self.related(*span, text)).collect(),
            counterexample: check.counterexample.as_ref().map(example),
            trace: evidence.run.as_ref().map(|run| run.steps.as_slice()),
            compiler: evidence.run.as_ref().and_then(|run| run.compiler.as_deref()),
            switched_off: evidence
                .run
                .iter()
                .flat_map(|run| run.switched_off.iter().map(|span| location(self.files, *span)))
                .collect(),
            invariant: evidence.invariant(),
            invariants: evidence.invariants.iter().map(|invariant| self.invariant(invariant)).collect(),
            attempts: evidence.attempts.iter().map(attempt).collect(),
            solver: check.solver.as_deref(),
            time_ms: check.time.as_millis(),
        }
    }

    fn invariant(&self, invariant: &'a Invariant) -> InvariantRow<'a> {
        let (when, span) = match &invariant.when {
            When::AfterTransactions => ("after-transactions", None),
            When::Watched => ("waiting", None),
            When::Meanwhile => ("meanwhile", None),
            When::Loop(span) => ("loop", *span),
            When::Called(_) => ("called", None),
            When::Returned(_) => ("returned", None),
        };
        InvariantRow {
            when,
            text: invariant.text.as_deref(),
            pastable: invariant.annotates().is_some(),
            location: span.map(|span| location(self.files, span)),
        }
    }

    fn related(&self, span: Span, message: &'a str) -> Related<'a> {
        Related { message, location: location(self.files, span) }
    }

    fn function(&self, function: &'a FunctionReport) -> FunctionRow<'a> {
        FunctionRow {
            contract: &self.program.contracts[function.contract].name,
            function: &function.name,
            signature: function.signature.as_deref(),
            verdict: match function.verdict {
                FunctionVerdict::Ok => "ok",
                FunctionVerdict::Error => "error",
                FunctionVerdict::Skipped => "skipped",
                FunctionVerdict::Inconclusive => "inconclusive",
                FunctionVerdict::TimeOut => "timeout",
            },
            unsupported: function
                .unsupported
                .iter()
                .map(|(what, span)| self.related(span.unwrap_or(function.span), what))
                .collect(),
            location: location(self.files, function.span),
            time_ms: function.time.as_millis(),
        }
    }
}

fn verdict(verdict: &Verdict) -> (&'static str, Option<String>) {
    match verdict {
        Verdict::Proved => ("proved", None),
        Verdict::Violated => ("violated", None),
        Verdict::Unknown(reason) => ("unknown", Some(reason.clone())),
        Verdict::Unsupported { what, .. } => ("unsupported", Some(what.clone())),
    }
}

fn example(example: &Counterexample) -> Example<'_> {
    Example {
        parameters: values(&example.parameters),
        state_before: values(&example.state_before),
        locals: values(&example.locals),
        state_after: values(&example.state_after),
        environment: values(&example.environment),
    }
}

fn attempt(attempt: &Attempt) -> AttemptRow {
    AttemptRow { engine: attempt.by.name(), time_ms: attempt.time.as_millis() }
}

fn values(bindings: &[Binding]) -> Vec<Value<'_>> {
    bindings.iter().map(|b| Value { name: &b.name, value: &b.value }).collect()
}

fn warning_row<'a>(files: &SourceFiles<'a>, warning: &'a Warning) -> DiagnosticRow<'a> {
    DiagnosticRow {
        severity: "warning",
        message: warning.message.clone(),
        location: Some(location(files, warning.span)),
        help: warning.help.as_deref(),
    }
}
