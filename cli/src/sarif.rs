//! SARIF 2.1.0, the format in which code hosts and editors take the findings of tools.

use crate::sources::SourceFiles;
use hornet_ir::diag::{Diagnostic, Severity};
use hornet_ir::span::Span;
use serde_json::{Map, Value, json};

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// What a result means to whoever acts on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Level {
    Error,
    Warning,
    /// Wrong, and somebody lives with it.
    Note,
    /// Not decided.
    Open,
    /// As it should be.
    Pass,
}

impl Level {
    /// SARIF's `kind` and `level`; only what fails has a level.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Level::Error => ("fail", "error"),
            Level::Warning => ("fail", "warning"),
            Level::Note => ("fail", "note"),
            Level::Open => ("open", "none"),
            Level::Pass => ("pass", "none"),
        }
    }
}

/// A kind of result, with a name that does not change.
pub struct Rule {
    pub id: String,
    pub name: String,
    pub description: String,
}

/// One step of the way to a finding.
pub struct FlowStep {
    pub span: Span,
    pub message: String,
    pub nesting: usize,
    /// What is different after it, by name.
    pub state: Vec<(String, String)>,
}

pub struct Finding {
    pub rule: String,
    pub level: Level,
    pub message: String,
    pub span: Span,
    pub related: Vec<(Span, String)>,
    pub flow: Vec<FlowStep>,
    /// Stays the same while the code around it changes.
    pub fingerprint: String,
    pub properties: Map<String, Value>,
    /// Why somebody lives with it.
    pub accepted: Option<String>,
}

/// A message about the run itself.
pub struct Notification {
    pub is_error: bool,
    pub message: String,
    pub span: Option<Span>,
}

pub struct Log<'a> {
    pub files: &'a SourceFiles<'a>,
    pub rules: Vec<Rule>,
    pub findings: Vec<Finding>,
    pub notifications: Vec<Notification>,
}

impl Log<'_> {
    pub fn text(&self) -> String {
        let document = json!({
            "$schema": SCHEMA,
            "version": "2.1.0",
            "runs": [{
                "tool": {"driver": {
                    "name": "Hornet",
                    "version": env!("CARGO_PKG_VERSION"),
                    "semanticVersion": env!("CARGO_PKG_VERSION"),
                    "rules": self.rules.iter().map(rule).collect::<Vec<_>>(),
                }},
                "columnKind": "unicodeCodePoints",
                "invocations": [{
                    "executionSuccessful": !self.notifications.iter().any(|n| n.is_error),
                    "toolExecutionNotifications":
                        self.notifications.iter().map(|n| self.notification(n)).collect::<Vec<_>>(),
                }],
                "results": self.findings.iter().map(|finding| self.result(finding)).collect::<Vec<_>>(),
            }],
        });
        // Only strings, numbers and lists: nothing that could fail.
        serde_json::to_string_pretty(&document).unwrap_or_default() + "\n"
    }

    fn result(&self, finding: &Finding) -> Value {
        let (kind, level) = finding.level.words();
        let related = finding.related.iter().enumerate();
        let mut result = json!({
            "ruleId": finding.rule,
            "kind": kind,
            "level": level,
            "message": {"text": finding.message},
            "locations": [self.location(finding.span)],
            "partialFingerprints": {"hornet/v1": finding.fingerprint},
            "properties": finding.properties,
        });
        // A log that suppresses anything says of each result whether it does.
        if self.findings.iter().any(|finding| finding.accepted.is_some()) {
            let suppression =
                |reason| json!({"kind": "external", "status": "accepted", "justification": reason});
            result["suppressions"] = finding.accepted.iter().map(suppression).collect();
        }
        if let Some(index) = self.rules.iter().position(|rule| rule.id == finding.rule) {
            result["ruleIndex"] = json!(index);
        }
        if !finding.related.is_empty() {
            let place = |(id, (span, message)): (usize, &(Span, String))| {
                let mut location = self.location(*span);
                location["id"] = json!(id);
                location["message"] = json!({"text": message});
                location
            };
            result["relatedLocations"] = related.map(place).collect();
        }
        if !finding.flow.is_empty() {
            let steps: Value = finding.flow.iter().map(|step| self.step(step)).collect();
            result["codeFlows"] = json!([{"threadFlows": [{"locations": steps}]}]);
        }
        result
    }

    fn step(&self, step: &FlowStep) -> Value {
        let mut location = self.location(step.span);
        location["message"] = json!({"text": step.message});
        let state: Map<String, Value> =
            step.state.iter().map(|(name, value)| (name.clone(), json!({"text": value}))).collect();
        json!({"location": location, "nestingLevel": step.nesting, "state": state})
    }

    fn notification(&self, notification: &Notification) -> Value {
        let mut value = json!({
            "level": if notification.is_error { "error" } else { "warning" },
            "message": {"text": notification.message},
        });
        if let Some(span) = notification.span {
            value["locations"] = json!([self.location(span)]);
        }
        value
    }

    fn location(&self, span: Span) -> Value {
        let (begin, end) = (self.files.position(span), self.files.end_position(span));
        let range = self.files.range(span);
        json!({"physicalLocation": {
            "artifactLocation": {"uri": uri(self.files.file_name(span.file))},
            "region": {
                "startLine": begin.line, "startColumn": begin.column,
                "endLine": end.line, "endColumn": end.column,
                "byteOffset": range.start, "byteLength": range.len(),
            },
        }})
    }
}

fn rule(rule: &Rule) -> Value {
    json!({
        "id": rule.id,
        "name": rule.name,
        "shortDescription": {"text": rule.description},
    })
}

/// A relative path stays relative; an absolute one names a file.
fn uri(path: &str) -> String {
    let escaped: String = path
        .bytes()
        .map(|byte| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                char::from(byte).to_string()
            }
            _ => format!("%{byte:02X}"),
        })
        .collect();
    if path.starts_with('/') { format!("file://{escaped}") } else { escaped }
}

/// Input that cannot be looked at: no results, and why.
pub fn refusal(files: &SourceFiles<'_>, diagnostics: &[Diagnostic]) -> String {
    let notifications = diagnostics.iter().map(notification).collect();
    Log { files, rules: Vec::new(), findings: Vec::new(), notifications }.text()
}

pub fn notification(diagnostic: &Diagnostic) -> Notification {
    Notification {
        is_error: diagnostic.severity == Severity::Error,
        message: diagnostic.message.clone(),
        span: diagnostic.span,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_as_uris() {
        assert_eq!(uri("src/My Bank.sol"), "src/My%20Bank.sol");
        assert_eq!(uri("/tmp/ä.sol"), "file:///tmp/%C3%A4.sol");
    }
}
