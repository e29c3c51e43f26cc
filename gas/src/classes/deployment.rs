//! What it takes to deploy a contract, with the dearest arguments that are found.

use hornet_evm::compiler::CompileError;
use hornet_evm::measure::State;

use super::candidate::Candidate;
use super::climb::Climb;
use super::home::Home;
use super::start::{parameters, plain_arguments};
use super::{Options, Subject, Witness};
use crate::watch::Watch;

/// The dearest deployment that was found: what its code does with its arguments, and what storing the code costs. Nothing if
/// all that were tried revert.
pub fn deployment(subject: &Subject, options: &Options) -> Result<Option<Witness>, CompileError> {
    let decl = &subject.program.contracts[subject.contract];
    let home = Home::new(subject)?;
    let creation = subject.build.link(&decl.file, &decl.name, &mut State::default())?.creation;
    let types = decl.constructor.map(|code| parameters(subject.program, code)).unwrap_or_default();
    let mut climb = Climb::new(Watch::new(options.time, options.stop), options.measure, false);
    for arguments in plain_arguments(&subject.program.types, &types) {
        climb.try_out(Candidate::deployment(&home, &creation, &arguments));
    }
    climb.run();
    let best = climb.into_tried().best.map(|best| best.witness(&home));
    Ok(best.filter(|best| best.measurement.outcome.success))
}
