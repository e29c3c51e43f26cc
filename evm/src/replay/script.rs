//! Who acts in a frame of the machine, and what the trace says they do.

use super::play::{Answer, Kind, Scene};
use super::puppet::{self, Deed, NOTHING_SAID};
use super::stage::CodeId;
use crate::compiler::Place;
use crate::{Address, U256};

/// Index of a scene in progress.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ActId(usize);

/// Who runs in a frame.
#[derive(Clone, Copy)]
pub(super) enum Role<'t> {
    /// Compiled code, as part of a scene.
    Code { code: CodeId, creation: bool, act: ActId },
    /// Somebody who answers a call, and the next of the scenes that they start.
    Puppet { by: Address, scenes: &'t [Scene] },
    /// Somebody whom a puppet asks to start a scene.
    Relay { scene: &'t Scene },
    /// Nobody of whom the trace knows.
    Other,
}

/// A scene in progress, and the next of the answers it gets.
struct Act<'t> {
    scene: &'t Scene,
    next: usize,
}

/// How far the scenes in progress have come. Calls that are undone count as made: the trace lists them, too.
pub(super) struct Script<'t> {
    this: Address,
    acts: Vec<Act<'t>>,
    /// Calls that got an answer which the trace does not give.
    pub unlisted: usize,
}

impl<'t> Script<'t> {
    pub fn new(this: Address, scene: &'t Scene) -> Script<'t> {
        Script { this, acts: vec![Act { scene, next: 0 }], unlisted: 0 }
    }

    pub fn outermost(&self) -> ActId {
        ActId(0)
    }

    pub fn begin(&mut self, scene: &'t Scene) -> ActId {
        self.acts.push(Act { scene, next: 0 });
        ActId(self.acts.len() - 1)
    }

    pub fn scene(&self, act: ActId) -> &'t Scene {
        self.acts[act.0].scene
    }

    /// The next answer by somebody, best one to a call from this place. Those before it are skipped: they were about
    /// code that runs for real.
    pub fn answer(&mut self, act: ActId, by: Address, from: Option<&Place>) -> Option<&'t Answer> {
        self.take(act, from, |answer| answer.by == by && !answer.is_creation)
    }

    /// Where the trace has a contract created at this place.
    pub fn creation(&mut self, act: ActId, from: Option<&Place>) -> Option<&'t Answer> {
        let near = |answer: &Answer| match (&answer.place, from) {
            (Some(said), Some(real)) => overlap(said, real),
            _ => true,
        };
        self.take(act, from, |answer| answer.is_creation && near(answer))
    }

    fn take(
        &mut self,
        act: ActId,
        from: Option<&Place>,
        fits: impl Fn(&Answer) -> bool,
    ) -> Option<&'t Answer> {
        let act = &mut self.acts[act.0];
        let left = &act.scene.answers[act.next..];
        let here = |answer: &Answer| match (&answer.place, from) {
            (Some(said), Some(real)) => overlap(said, real),
            _ => false,
        };
        let exact = left.iter().position(|answer| fits(answer) && here(answer));
        let found = exact.or_else(|| left.iter().position(fits))?;
        act.next += found + 1;
        Some(&left[found])
    }

    /// The code of somebody who is called and gives this answer.
    pub fn puppet(&mut self, answer: Option<&Answer>) -> Vec<u8> {
        let Some(answer) = answer else {
            self.unlisted += 1;
            return puppet::program(&[], true, &NOTHING_SAID);
        };
        let writes = answer.writes.iter().map(|(slot, value)| Deed::Write { slot: *slot, value: *value });
        let deeds: Vec<Deed> =
            answer.scenes.iter().map(|scene| self.deed(answer.by, scene)).chain(writes).collect();
        puppet::program(&deeds, answer.succeeds, &answer.returns)
    }

    /// The code of somebody who starts a scene for somebody else.
    pub fn relay(&self, scene: &Scene) -> Vec<u8> {
        puppet::program(&[self.deed(scene.caller, scene)], true, &[])
    }

    fn deed(&self, by: Address, scene: &Scene) -> Deed {
        match &scene.kind {
            Kind::ForcedEther => Deed::Gift { to: self.this, value: scene.value },
            _ if scene.caller != by => Deed::Call { to: scene.caller, value: U256::ZERO, data: Vec::new() },
            Kind::Call(data) | Kind::Deploy(data) => {
                Deed::Call { to: self.this, value: scene.value, data: data.clone() }
            }
        }
    }
}

fn overlap(a: &Place, b: &Place) -> bool {
    a.file == b.file && a.start < b.end && b.start < a.end
}
