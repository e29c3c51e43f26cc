//! The Solidity compiler inside this program, which it becomes when it is started again with an argument.

use std::process::ExitCode;

/// To be called first in `main`: does the compiler's work if this process was started for that. Otherwise notes that this
/// program has one.
#[cfg(feature = "embedded-solc")]
pub fn worker_if_asked() -> Option<ExitCode> {
    let done = hornet_soljson::worker_if_asked();
    if done.is_none()
        && let (Ok(version), Ok(program)) = (hornet_soljson::VERSION.parse(), std::env::current_exe())
    {
        hornet_evm::solc::BuiltIn { version, program, argument: hornet_soljson::WORKER_ARGUMENT }.offer();
    }
    done
}

#[cfg(not(feature = "embedded-solc"))]
pub fn worker_if_asked() -> Option<ExitCode> {
    None
}
