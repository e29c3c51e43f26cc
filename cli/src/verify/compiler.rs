//! Whose code runs are replayed with, and what there is to say about it before any run is found.

use crate::args::VerifyArgs;
use crate::input::Loaded;
use crate::project::{Setting, Settings};
use hornet_evm::pragma::Version;
use hornet_evm::solc::{Compilers, SolcError, how_to_install, is_stated};
use hornet_ir::diag::{Diagnostic, Severity};

/// Those that are there; the project's own comes first.
pub fn compilers(args: &VerifyArgs) -> Result<Compilers, SolcError> {
    Ok(Compilers::find()?.preferring(args.solc))
}

/// Without any compiler there are proofs, and runs that nobody replays; but one that somebody names has to be there.
pub fn check_stated() -> Result<(), String> {
    if is_stated() { Compilers::find().map(|_| ()).map_err(|e| e.to_string()) } else { Ok(()) }
}

/// The project asks for a compiler that is not there: says which one takes its place.
pub fn missing(settings: &Settings, loaded: &Loaded) -> Option<Diagnostic> {
    let Setting { value: Some(asked), origin } = &settings.solc else { return None };
    let compilers = Compilers::find().ok().filter(|_| !is_stated())?;
    compilers.installed(*asked).err()?;
    let text = |unit: &Vec<_>| {
        let texts = unit.iter().map(|id| loaded.sources.file(*id).text.as_str());
        compilers.choose(texts).ok()
    };
    let mut used: Vec<Version> = loaded.units.iter().filter_map(text).collect();
    used.sort_unstable();
    used.dedup();
    let used: Vec<String> = used.iter().map(|version| format!("solc {version}")).collect();
    let instead = match used.as_slice() {
        [] => "no run can be replayed".to_owned(),
        used => format!("runs are replayed with {}", used.join(", ")),
    };
    let message = format!("solc {asked} is not installed (asked for by: {origin}): {instead}");
    Some(
        Diagnostic { severity: Severity::Warning, ..Diagnostic::unlocated(message) }
            .help(how_to_install(*asked)),
    )
}
