//! Runs that engines find are believed when compiled code does the same.

use super::shorten::shortest;
use crate::input::Loaded;
use hornet_evm::compiler::Compiler;
use hornet_evm::replay::{Executed, Replay, Replayer};
use hornet_evm::solc::Compilers;
use hornet_ir::trace::Trace;
use std::sync::{Arc, OnceLock};

/// Replays traces, with one compiler after the other. Nothing is started before the first trace comes.
pub struct Confirmer<'p> {
    loaded: &'p Loaded,
    solc: OnceLock<Option<Arc<Compilers>>>,
    replayers: OnceLock<Vec<Replayer<'p>>>,
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
    pub fn new(loaded: &'p Loaded) -> Confirmer<'p> {
        Confirmer { loaded, solc: OnceLock::new(), replayers: OnceLock::new() }
    }

    /// The best that any compiler's code shows: a compiler may refuse the source, or be wrong about it.
    pub fn judge(&self, trace: &Trace) -> Judgement {
        let mut best =
            Judgement::Impossible("there is no compiler: `scripts/setup.sh` installs one".to_owned());
        for replayer in self.replayers.get_or_init(|| self.start()) {
            let judgement = match replayer.replay(trace) {
                Replay::Confirmed(executed) => return Judgement::Fails(executed),
                Replay::Unconfirmed { executed, why } => Judgement::OutOfSight(executed, why),
                Replay::Disagrees { executed, what } => Judgement::Disagrees(executed, what),
                Replay::Impossible(why) => Judgement::Impossible(why),
            };
            if judgement.rank() >= best.rank() {
                best = judgement;
            }
        }
        best
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

    /// Somebody will most likely ask: compilers that take long to start do so now, in the background.
    pub fn get_ready(&self) {
        if let Some(solc) = self.solc() {
            let texts = self.loaded.sources.files().map(|(_, file)| file.text.as_str());
            // A compiler that is not there is said when a run cannot be replayed.
            let _ = solc.choose(texts).and_then(|version| solc.warm_up(version));
        }
    }

    fn solc(&self) -> Option<&Arc<Compilers>> {
        self.solc.get_or_init(|| Compilers::find().ok().map(Arc::new)).as_ref()
    }

    fn start(&self) -> Vec<Replayer<'p>> {
        let solc = self.solc().map(|solc| solc.clone() as Arc<dyn Compiler>);
        let Loaded { program, sources, remappings, .. } = self.loaded;
        let replayer = |compiler| {
            Replayer::new(program, sources, remappings.clone(), vec![compiler]).via_ir(self.loaded.via_ir)
        };
        solc.into_iter().map(replayer).collect()
    }
}

impl Judgement {
    fn rank(&self) -> u8 {
        match self {
            Judgement::Impossible(_) => 0,
            Judgement::Disagrees(..) => 1,
            Judgement::OutOfSight(..) => 2,
            Judgement::Fails(_) => 3,
        }
    }
}
