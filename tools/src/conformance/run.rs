//! Running one file, or all files of a folder, on a backend.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use hornet_evm::{Address, U256, keccak256};
use rayon::prelude::*;

use super::backend::{Answer, Backend, Refusal, Session};
use super::calls::{Call, Kind};
use super::chain::account;
use super::file::TestFile;
use super::report::Report;
use super::value::show;
use crate::files::solidity_files;
use crate::guard::guard;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    Same,
    Different(String),
    Unsupported(String),
    Skipped(String),
}

/// The verdict on one call.
pub struct CallResult {
    pub line: usize,
    pub call: String,
    pub verdict: Verdict,
    pub gas_lines: usize,
}

pub fn run_folder(folder: &Path, backend: Arc<dyn Backend>, limit: Duration) -> Report {
    let has_calls = |path: &PathBuf| {
        let text = std::fs::read(path).unwrap_or_default();
        TestFile::has_calls(&String::from_utf8_lossy(&text))
    };
    let files: Vec<PathBuf> = solidity_files(folder).into_iter().filter(has_calls).collect();
    let results: Vec<_> = files
        .into_par_iter()
        .map(|path| {
            let results = guarded(&path, backend.clone(), limit);
            (path, results)
        })
        .collect();
    Report::new(folder, results)
}

fn guarded(path: &Path, backend: Arc<dyn Backend>, limit: Duration) -> Vec<CallResult> {
    let test = match TestFile::read(path) {
        Ok(test) => test,
        Err(problem) => {
            return vec![whole_file(Verdict::Skipped(format!("cannot read the test: {problem}")))];
        }
    };
    let copy = test.clone();
    match guard(limit, move || run_file(&copy, backend.as_ref())) {
        Ok(results) => results,
        Err(problem) => all(&test, &Verdict::Different(problem)),
    }
}

fn whole_file(verdict: Verdict) -> CallResult {
    CallResult { line: 0, call: "(file)".into(), verdict, gas_lines: 0 }
}

fn result(call: &Call, verdict: Verdict) -> CallResult {
    CallResult { line: call.line, call: call.text.clone(), verdict, gas_lines: call.gas_lines }
}

fn all(test: &TestFile, verdict: &Verdict) -> Vec<CallResult> {
    test.calls.iter().map(|call| result(call, verdict.clone())).collect()
}

pub fn run_file(test: &TestFile, backend: &dyn Backend) -> Vec<CallResult> {
    let mut results = Vec::new();
    let opened = backend.with_session(test, &mut |session| results = run_calls(test, session));
    match opened {
        Ok(()) => results,
        Err(refusal) => all(test, &refused(&refusal)),
    }
}

fn run_calls(test: &TestFile, session: &mut dyn Session) -> Vec<CallResult> {
    let mut results = Vec::new();
    let mut constructed = false;
    // After something unsupported the state is not the one the file expects.
    let mut tainted = None;
    for call in &test.calls {
        let verdict = match &tainted {
            Some(refusal) => refused(refusal),
            None => match step(session, call, &mut constructed) {
                Ok(verdict) => verdict,
                Err(refusal) => {
                    let verdict = refused(&refusal);
                    tainted = match refusal {
                        Refusal::Unsupported(why) => Some(Refusal::Unsupported(format!("after: {why}"))),
                        Refusal::Undetermined(_) => None,
                        Refusal::Skipped(why) => Some(Refusal::Skipped(why)),
                    };
                    verdict
                }
            },
        };
        results.push(result(call, verdict));
    }
    results
}

fn refused(refusal: &Refusal) -> Verdict {
    match refusal {
        Refusal::Unsupported(why) | Refusal::Undetermined(why) => Verdict::Unsupported(why.clone()),
        Refusal::Skipped(why) => Verdict::Skipped(why.clone()),
    }
}

fn step(session: &mut dyn Session, call: &Call, constructed: &mut bool) -> Result<Verdict, Refusal> {
    if let Kind::Library { file, name } = &call.kind {
        let answer = session.deploy_library(file.as_deref(), name)?;
        return Ok(if answer.success {
            Verdict::Same
        } else {
            Verdict::Different("deploying the library failed".into())
        });
    }
    if call.kind == Kind::Constructor {
        *constructed = true;
        let answer = session.deploy(&call.arguments, call.value)?;
        // What a constructor returns is code, which nobody expects byte by byte.
        let answer = Answer { output: call.expected.clone(), ..answer };
        return Ok(compare(call, &answer, session.address()));
    }
    if !*constructed {
        *constructed = true;
        if !session.deploy(&[], U256::ZERO)?.success {
            return Err(Refusal::Unsupported("deploying the contract failed".into()));
        }
    }
    match &call.kind {
        Kind::Builtin(name) => Ok(builtin(session, name, call)),
        Kind::Raw => {
            let answer = session.call(&call.arguments, call.value)?;
            Ok(compare(call, &answer, session.address()))
        }
        Kind::Function(signature) => {
            let mut data = keccak256(signature)[..4].to_vec();
            data.extend_from_slice(&call.arguments);
            let answer = session.call(&data, call.value)?;
            Ok(compare(call, &answer, session.address()))
        }
        Kind::Library { .. } | Kind::Constructor => Ok(Verdict::Same),
    }
}

fn builtin(session: &mut dyn Session, name: &str, call: &Call) -> Verdict {
    let word = |value: U256| value.to_be_bytes::<32>().to_vec();
    let argument = || U256::try_from_be_slice(&call.arguments).unwrap_or_default();
    let output = match name {
        "balance" if call.arguments.is_empty() => word(session.balance(session.address())),
        "balance" => {
            let bytes = argument().to_be_bytes::<32>();
            word(session.balance(Address::from_slice(&bytes[12..])))
        }
        "storageEmpty" => word(U256::from(session.storage_empty())),
        "account" => {
            let sender = account(argument().saturating_to());
            session.set_sender(sender);
            word(U256::from_be_slice(sender.as_slice()))
        }
        "isoltest_builtin_test" => word(U256::from(0x1234)),
        _ if call.arguments.is_empty() => word(U256::ZERO),
        _ => call.arguments.clone(),
    };
    if output == call.expected {
        Verdict::Same
    } else {
        Verdict::Different(format!("expected {}, got {}", show(&call.expected), show(&output)))
    }
}

fn compare(call: &Call, answer: &Answer, contract: Address) -> Verdict {
    let ending = |success| if success { "success" } else { "failure" };
    if answer.success == call.expect_failure {
        return Verdict::Different(format!(
            "expected {} with {}, got {} with {}",
            ending(!call.expect_failure),
            show(&call.expected),
            ending(answer.success),
            show(&answer.output)
        ));
    }
    if answer.output != call.expected {
        return Verdict::Different(format!(
            "expected {}, got {}",
            show(&call.expected),
            show(&answer.output)
        ));
    }
    if answer.logs.len() != call.events.len() {
        return Verdict::Different(format!(
            "expected {} events, got {}",
            call.events.len(),
            answer.logs.len()
        ));
    }
    for (i, (event, log)) in call.events.iter().zip(&answer.logs).enumerate() {
        let from = event.from.map_or(contract, Address::from);
        if from != log.address || event.topics != log.topics || event.data != log.data {
            return Verdict::Different(format!(
                "event {i}: expected {from} {:?} {}, got {} {:?} {}",
                event.topics,
                show(&event.data),
                log.address,
                log.topics,
                show(&log.data)
            ));
        }
    }
    Verdict::Same
}
