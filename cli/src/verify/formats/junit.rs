//! Results as JUnit XML, which every CI server shows: a suite for each contract, a case for each check.

use crate::verify::summary::Summary;
use crate::verify::text::Results;
use crate::verify::transactions;
use hornet_encoder::{Check, Verdict};
use hornet_ir::text::kind_name;
use quick_junit::{NonSuccessKind, Property, Report, TestCase, TestCaseStatus, TestSuite};

impl Results<'_> {
    pub fn junit(&self, summary: &Summary) -> String {
        let mut report = Report::new("hornet verify");
        report.set_time(summary.time);
        for contract in self.contracts() {
            let name = &self.program.contracts[contract].name;
            let mut suite = TestSuite::new(name.clone());
            suite.add_properties(summary.left_out().map(|kinds| Property::new("without", kinds)));
            suite.add_test_cases(self.checks_of(contract).map(|check| self.case(check, name)));
            report.add_test_suite(suite);
        }
        // Writing to memory does not fail.
        report.to_string().unwrap_or_default()
    }

    fn case(&self, check: &Check, contract: &str) -> TestCase {
        let line = self.files.position(check.span).line;
        let name =
            format!("{}: {} at line {line}", self.short_name(self.function(check)), kind_name(check.kind));
        let mut case = TestCase::new(name, self.status(check));
        case.set_classname(contract.to_owned());
        case.set_time(check.time);
        case
    }

    fn status(&self, check: &Check) -> TestCaseStatus {
        let place = self.files.location_text(check.span);
        if let Some(reason) = self.accepted(check) {
            let mut status = TestCaseStatus::skipped();
            status.set_message(format!("accepted: {reason} ({}; {place})", self.message(check)));
            return status;
        }
        match &check.verdict {
            Verdict::Proved => TestCaseStatus::success(),
            Verdict::Violated => {
                let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
                status.set_type("violated").set_message(self.message(check));
                let run = self.evidence_of(check).and_then(|evidence| evidence.run.as_ref());
                let mut lines = vec![place];
                lines.extend(run.into_iter().flat_map(|run| transactions::lines(run, None)));
                lines.extend(self.reason(check).map(|why| format!("unconfirmed: {why}")));
                status.set_description(lines.join("\n"));
                status
            }
            // A build should not break because something was not decided, unless it is told to.
            Verdict::Unknown(_) | Verdict::Unsupported { .. } => {
                let mut status = TestCaseStatus::skipped();
                let reason = self.reason(check).unwrap_or_default();
                status.set_message(format!("not decided: {reason} ({place})"));
                status
            }
        }
    }
}
