//! Runs that engines find are believed when compiled code does the same.

use super::compiler::compilers;
use super::shorten::shortest;
use crate::args::VerifyArgs;
use crate::input::Loaded;
use hornet_evm::compiler::Compiler;
use hornet_evm::replay::{Executed, Replay, Replayer};
use hornet_evm::solc::Compilers;
use hornet_ir::ids::ContractId;
use hornet_ir::trace::Trace;
use std::sync::{Arc, OnceLock};

/// Replays traces. Nothing is started before the first trace comes.
pub struct Confirmer<'p> {
    loaded: &'p Loaded,
    args: &'p VerifyArgs,
    solc: OnceLock<Option<Arc<Compilers>>>,
    /// One for each set of files that are compiled together.
    replayers: Vec<OnceLock<Option<Replayer<'p>>>>,
}

pub enum Judgement {
    /// The failure happens.
    Fails(Executed),
    /// Everything happens as the trace says, but the failure cannot be seen on the machine, for this reason.
    OutOfSight(Executed, String),
    /// Something else happens.
    Disagrees(Executed, String),
    /// There is nothing to run, for this reason.
    Impossible(String),
}

impl<'p> Confirmer<'p> {
    pub fn new(loaded: &'p Loaded, args: &'p VerifyArgs) -> Confirmer<'p> {
        let replayers = loaded.units.iter().map(|_| OnceLock::new()).collect();
        Confirmer { loaded, args, solc: OnceLock::new(), replayers }
    }

    pub fn judge(&self, trace: &Trace) -> Judgement {
        let Some(replayer) = self.replayer(trace.contract) else {
            return Judgement::Impossible("there is no compiler: `scripts/setup.sh` installs one".to_owned());
        };
        match replayer.replay(trace) {
            Replay::Confirmed(executed) => Judgement::Fails(executed),
            Replay::Unconfirmed { executed, why } => Judgement::OutOfSight(executed, why),
            Replay::Disagrees { executed, what } => Judgement::Disagrees(executed, what),
            Replay::Impossible(why) => Judgement::Impossible(why),
        }
    }

    /// The same for a run that may have steps to no purpose: as few of them as fail the same way.
    pub fn judge_shortest(&self, trace: &Trace) -> (Trace, Judgement) {
        let judgement = self.judge(trace);
        let Judgement::Fails(whole) = &judgement else { return (trace.clone(), judgement) };
        let is_as_good = |part: &Executed| {
            part.evidence == whole.evidence
                && part.neutralised.len() <= whole.neutralised.len()
                && part.unlisted <= whole.unlisted
        };
        let fails = |part: &Trace| match self.judge(part) {
            Judgement::Fails(executed) if is_as_good(&executed) => Some(executed),
            _ => None,
        };
        match shortest(trace, fails) {
            Some((shorter, executed)) => (shorter, Judgement::Fails(executed)),
            None => (trace.clone(), judgement),
        }
    }

    /// Somebody will most likely ask about this contract: a compiler that takes long to start does so now, in the
    /// background.
    pub fn get_ready(&self, contract: ContractId) {
        if let (Some(solc), Some(unit)) = (self.solc(), self.loaded.unit_of(contract)) {
            let files = self.loaded.units[unit].iter().map(|id| self.loaded.sources.file(*id));
            let texts = files.map(|file| file.text.as_str());
            let bytes = texts.clone().map(str::len).sum();
            // A compiler that is not there is said when a run cannot be replayed.
            let _ = solc.choose(texts).and_then(|version| solc.warm_up(version, bytes));
        }
    }

    fn solc(&self) -> Option<&Arc<Compilers>> {
        self.solc.get_or_init(|| compilers(self.args).ok().map(Arc::new)).as_ref()
    }

    fn replayer(&self, contract: ContractId) -> Option<&Replayer<'p>> {
        let unit = self.loaded.unit_of(contract)?;
        self.replayers[unit].get_or_init(|| self.start(unit)).as_ref()
    }

    fn start(&self, unit: usize) -> Option<Replayer<'p>> {
        let solc = self.solc()?.clone() as Arc<dyn Compiler>;
        let Loaded { program, sources, remappings, units, via_ir, .. } = self.loaded;
        let replayer = Replayer::new(program, sources, remappings.clone(), vec![solc]);
        Some(replayer.of_files(units[unit].iter().copied()).via_ir(*via_ir))
    }
}
