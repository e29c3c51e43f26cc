//! Budgets that are not kept and warnings, as SARIF.

use crate::gas::budget::{Checked, Verdict};
use crate::gas::remark::{Kind, Remark};
use crate::gas::report::Report;
use crate::sarif::{Finding, Level, Log, Rule, notification};
use hornet_ir::span::Span;
use serde_json::{Map, json};

const BUDGET: &str = "hornet/gas-budget";

impl Report<'_> {
    pub fn sarif(&self) -> String {
        let mut findings: Vec<Finding> =
            self.budgets().map(|(name, checked)| self.budget_result(&name, checked)).collect();
        for contract in &self.contracts {
            let name = &self.program.contracts[contract.gas.contract].name;
            for report in &contract.functions {
                let function = format!("{name}.{}", report.function.signature);
                let results = report.remarks.iter();
                findings
                    .extend(results.filter_map(|r| self.remark_result(&function, report.function.span, r)));
            }
        }
        let notifications = self.warnings.iter().map(notification).collect();
        Log { files: self.files, rules: rules(), findings, notifications }.text()
    }

    fn budget_result(&self, name: &str, checked: &Checked) -> Finding {
        let (level, what) = match &checked.verdict {
            Verdict::Within => (Level::Pass, "stays within its budget".to_owned()),
            Verdict::Exceeded(why) => (Level::Error, format!("takes more gas than its budget: {why}")),
            Verdict::NotShown(why) => (Level::Open, format!("is not shown to stay within its budget: {why}")),
        };
        let budget = &checked.budget;
        let mut properties = Map::new();
        properties.insert("budget".to_owned(), json!(budget.text));
        let message = format!("`{name}` {what}");
        finding(BUDGET.to_owned(), level, message, budget.span, [name, &budget.text], properties)
    }

    fn remark_result(&self, name: &str, function: Option<Span>, remark: &Remark) -> Option<Finding> {
        let span = remark.place.as_ref().map(|(span, _)| *span).or(function)?;
        let message = match remark.kind {
            Kind::GasLimit => format!("`{name}` {}", remark.message),
            _ => remark.message.clone(),
        };
        let rule = format!("hornet/gas-{}", remark.kind.name());
        Some(finding(rule, Level::Warning, message, span, [name, remark.kind.name()], Map::new()))
    }
}

fn finding(
    rule: String,
    level: Level,
    message: String,
    span: Span,
    identity: [&str; 2],
    properties: Map<String, serde_json::Value>,
) -> Finding {
    let whole = [rule.as_str(), identity[0], identity[1]].join("\n");
    let fingerprint = hornet_evm::keccak256(whole)[..16].iter().map(|byte| format!("{byte:02x}")).collect();
    Finding {
        rule,
        level,
        message,
        span,
        related: Vec::new(),
        flow: Vec::new(),
        fingerprint,
        properties,
        accepted: None,
    }
}

fn rules() -> Vec<Rule> {
    let rule = |id: &str, name: &str, description: &str| Rule {
        id: id.to_owned(),
        name: name.to_owned(),
        description: description.to_owned(),
    };
    vec![
        rule(BUDGET, "GasBudget", "A function takes no more gas than its budget"),
        rule("hornet/gas-unbounded", "GasUnbounded", "The gas of a function has a bound"),
        rule(
            "hornet/gas-out-of-time",
            "GasOutOfTime",
            "There was time to find a bound on the gas of a function",
        ),
        rule("hornet/gas-storage-loop", "GasStorageLoop", "Gas does not grow with what is stored"),
        rule("hornet/gas-gas-limit", "GasLimit", "A transaction can have as much gas as a function takes"),
        rule("hornet/gas-stipend", "GasStipend", "Plain ether can be received with 2,300 gas"),
    ]
}
