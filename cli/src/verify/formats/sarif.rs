//! Results as SARIF: one result for each check that is not proved, with the run that breaks it as a code flow.

use crate::sarif::{Finding, FlowStep, Level, Log, Notification, Rule, notification};
use crate::verify::storage::Binding;
use crate::verify::summary::Summary;
use crate::verify::text::Results;
use crate::verify::told::{ToldOutside, ToldStep};
use hornet_encoder::{Check, Verdict};
use hornet_ir::program::ObligationKind;
use hornet_ir::span::Span;
use hornet_ir::text::kind_name;
use serde_json::{Map, Value, json};

impl Results<'_> {
    pub fn sarif(&self, summary: &Summary) -> String {
        let mut rules: Vec<Rule> = Vec::new();
        for check in &self.report.checks {
            let id = rule_id(check.kind);
            if rules.iter().all(|rule| rule.id != id) {
                rules.push(rule(check.kind));
            }
        }
        let findings = self.report.checks.iter().map(|check| self.sarif_finding(check)).collect();
        let said = self.diagnostics.iter().map(notification);
        let warned = self.report.warnings.iter().map(|warning| Notification {
            is_error: false,
            message: warning.message.clone(),
            span: Some(warning.span),
        });
        let left_out = summary.left_out().map(|kinds| Notification {
            is_error: false,
            message: format!("not checked, because of `--without`: {kinds}"),
            span: None,
        });
        let notifications = said.chain(warned).chain(left_out).collect();
        Log { files: self.files, rules, findings, notifications }.text()
    }

    fn sarif_finding(&self, check: &Check) -> Finding {
        let evidence = self.evidence_of(check);
        let confirmed = evidence.is_some_and(|evidence| evidence.confirmed);
        let function = self.qualified(self.function(check));
        let accepted = self.accepted(check);
        let level = match &check.verdict {
            Verdict::Violated if accepted.is_some() => Level::Note,
            Verdict::Proved => Level::Pass,
            Verdict::Violated if confirmed => Level::Error,
            Verdict::Violated => Level::Warning,
            Verdict::Unknown(_) | Verdict::Unsupported { .. } => Level::Open,
        };
        let mut message = format!("{} in `{function}`", self.message(check));
        match (&check.verdict, self.reason(check)) {
            (Verdict::Proved, _) => message = format!("proved: {} in `{function}`", kind_name(check.kind)),
            (_, Some(reason)) => message = format!("{message}: {reason}"),
            (Verdict::Violated, None) if confirmed => message.push_str(" (confirmed on the EVM)"),
            (_, None) => {}
        }
        let annotation = check.annotation.iter().map(|(span, text)| (*span, format!("annotation `{text}`")));
        let steps = evidence.and_then(|evidence| evidence.run.as_ref()).map(|run| run.steps.as_slice());
        let mut flow = Vec::new();
        for step in steps.unwrap_or_default() {
            self.flow_of(step, check, 0, &mut flow);
            if !step.afterwards.is_empty() {
                let (span, message) = (self.span_of(step, check), "afterwards".to_owned());
                flow.push(FlowStep { span, message, nesting: 0, state: named(&step.afterwards) });
            }
        }
        let mut properties = Map::new();
        properties.insert("verdict".to_owned(), json!(word(&check.verdict)));
        properties.insert("confirmed".to_owned(), json!(confirmed));
        if let Some(invariant) = evidence.and_then(|evidence| evidence.invariant()) {
            properties.insert("invariant".to_owned(), Value::String(invariant));
        }
        Finding {
            rule: rule_id(check.kind),
            level,
            message,
            span: check.span,
            related: annotation.chain(check.related.iter().cloned()).collect(),
            flow,
            fingerprint: self.fingerprint(check),
            accepted: accepted.map(str::to_owned),
            properties,
        }
    }

    /// A transaction, then the calls back from inside it.
    fn flow_of(&self, step: &ToldStep, check: &Check, nesting: usize, flow: &mut Vec<FlowStep>) {
        let value = if step.value == "0" { String::new() } else { format!(" {{value: {}}}", step.value) };
        flow.push(FlowStep {
            span: self.span_of(step, check),
            message: format!("{}{value} from {}", step.call, step.caller),
            nesting,
            state: named(step.state_beside(nesting == 0)),
        });
        for ToldOutside { span, target, reenters, .. } in &step.outside {
            if let Some(span) = span.filter(|_| !reenters.is_empty()) {
                let message = format!("{target} gets control and calls back");
                flow.push(FlowStep { span, message, nesting: nesting + 1, state: Vec::new() });
            }
            for inner in reenters {
                self.flow_of(inner, check, nesting + 1, flow);
            }
        }
    }

    /// Where the function of a transaction stands; the check itself where it has none.
    fn span_of(&self, step: &ToldStep, check: &Check) -> Span {
        let contract = self.function(check).contract;
        let called = |name: &str| match &*step.action {
            "deploy" => ["[constructor]", "[implicit_constructor]"].contains(&name),
            "receive" => name == "[receive]",
            "fallback" => name == "[fallback]",
            _ => step.function.as_deref() == Some(name),
        };
        let functions = self.report.functions.iter().filter(|f| f.contract == contract);
        let function = functions.into_iter().find(|f| called(&f.name));
        self.files.first_line(function.map_or(check.span, |function| function.span))
    }

    /// Contract, function, kind and the text of the check: what stays while lines move.
    fn fingerprint(&self, check: &Check) -> String {
        let text = self.files.quoted(check.span).split_whitespace().collect::<Vec<_>>().join(" ");
        let annotation = check.annotation.as_ref().map_or("", |(_, text)| text.as_str());
        let whole =
            [&self.qualified(self.function(check)), kind_name(check.kind), &text, annotation].join("\n");
        hornet_evm::keccak256(whole)[..16].iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

fn named(state: &[Binding]) -> Vec<(String, String)> {
    state.iter().map(|binding| (binding.name.clone(), binding.value.clone())).collect()
}

fn word(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Proved => "proved",
        Verdict::Violated => "violated",
        Verdict::Unknown(_) => "unknown",
        Verdict::Unsupported { .. } => "unsupported",
    }
}

fn rule_id(kind: ObligationKind) -> String {
    format!("hornet/{}", kind_name(kind))
}

fn rule(kind: ObligationKind) -> Rule {
    let description = match kind {
        ObligationKind::Assertion => "An assertion holds on every run",
        ObligationKind::Overflow => "A result is not too large for its type",
        ObligationKind::Underflow => "A result is not too small for its type",
        ObligationKind::DivisionByZero => "Nothing is divided by zero",
        ObligationKind::OutOfBounds => "An index is within its array",
        ObligationKind::EmptyPop => "Nothing is taken from an empty array",
        ObligationKind::EnumConversion => "A number is a member of its enum",
        ObligationKind::InsufficientBalance => "There is as much ether as is sent",
        ObligationKind::Invariant => "An invariant holds whenever nobody is inside the contract",
        ObligationKind::LoopInvariant => "A loop invariant holds in every round",
        ObligationKind::Precondition => "A precondition holds when the function is called",
        ObligationKind::Postcondition => "A postcondition holds when the function returns",
        ObligationKind::Modifies => "Nothing changes but what the function says it modifies",
        ObligationKind::Emits => "Nothing is emitted but what the function says it emits",
        ObligationKind::EventPrecondition => "What an event demands holds before the change",
        ObligationKind::EventPostcondition => "What an event promises holds when it is emitted",
        ObligationKind::Succeeds => "A call under the stated condition does not revert",
        ObligationKind::Reverts => "A call under the stated condition reverts",
    };
    let mut name = String::new();
    for part in kind_name(kind).split('-') {
        let mut letters = part.chars();
        name.extend(letters.next().map(|c| c.to_ascii_uppercase()));
        name.push_str(letters.as_str());
    }
    Rule { id: rule_id(kind), name, description: description.to_owned() }
}
