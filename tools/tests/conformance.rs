//! Our own recorded calls, on solc's bytecode (so that they are true) and on the interpreter (so that it is right).

use hornet_evm::solc::Compilers;
use hornet_tools::conformance::{self, backend::Backend, evm::EvmBackend, interp::InterpBackend};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

fn check(backend: Arc<dyn Backend>) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata/conformance");
    let report = conformance::run_folder(&folder, backend, Duration::from_secs(60));
    let mut text = Vec::new();
    report.print(true, &mut text).expect("writing to memory");
    let text = String::from_utf8_lossy(&text).into_owned();
    let last = text.lines().last().unwrap_or_default();
    assert!(last.contains("different 0, unsupported 0, skipped 0"), "{text}");
    assert!(!last.contains("same 0"), "{text}");
}

#[test]
fn recorded_calls_are_what_the_evm_does() {
    let compilers = Compilers::find().expect("solc is set up by `make test`");
    check(Arc::new(EvmBackend { compilers: Arc::new(compilers), via_ir: false }));
}

#[test]
fn the_interpreter_reproduces_recorded_calls() {
    check(Arc::new(InterpBackend { compilers: None }));
}
