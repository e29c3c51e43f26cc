//! Watches a run and compares what happens with what was claimed.
//!
//! A claim is about one function, from states that satisfy its assumptions: its preconditions, the invariants if it is
//! public, and on the way whatever the engine relies on after a loop, a call by specification or a call to others. So
//! every activation that is verified on its own is followed, and stays `sound` as long as all of that really holds.

use super::claims::{ClaimId, Claims, guards, is_called_by_spec, is_public};
use super::frame_rule::illegal_changes;
use hornet_encoder::{Arithmetic, body_of};
use hornet_ir::ids::{ContractId, Id, ObligationId, ProcId};
use hornet_ir::interp::Interpreter;
use hornet_ir::interp::frame::Frame;
use hornet_ir::interp::spec::Moment;
use hornet_ir::interp::value::Value;
use hornet_ir::interp::watch::{Event, Watcher};
use hornet_ir::interp::world::World;
use hornet_ir::program::{CallKind, Gas, ObligationKind, Stmt, StmtKind};
use hornet_ir::span::Span;
use hornet_ir::spec::Clause;
use std::cell::RefCell;
use std::rc::Rc;

/// What was seen so far.
#[derive(Default)]
pub struct Tally {
    /// How often each claim was looked at in a state where it should hold.
    pub evaluated: Vec<u64>,
    // Of the transaction in progress.
    pub broken: Vec<ClaimId>,
    /// The assumptions of the function called held.
    pub satisfied: bool,
    /// Claims that the transaction does not revert.
    pub must_succeed: Vec<ClaimId>,
}

impl Tally {
    pub fn begin(&mut self) {
        self.broken.clear();
        self.must_succeed.clear();
        self.satisfied = false;
    }

    pub fn note(&mut self, claims: &Claims<'_>, claim: ClaimId, holds: bool) {
        if claims.is_proved(claim) {
            self.evaluated[claim] += 1;
            if !holds {
                self.broken.push(claim);
            }
        }
    }
}

/// An activation.
struct Track {
    proc: ProcId,
    /// The function of the report that is verified here.
    function: Option<usize>,
    /// Callers know only its specification.
    by_spec: bool,
    /// Everything assumed so far is true.
    sound: bool,
    /// Locals when it was entered.
    locals: Vec<Value>,
    /// The world when it was entered.
    past: Rc<World>,
    /// Claims that it does not return.
    must_revert: Vec<ClaimId>,
    overflowed: bool,
}

#[derive(Default)]
struct FrameTrack {
    tracks: Vec<Track>,
    /// The function behind an entry that has just its guards to run.
    pending: Option<Track>,
}

pub struct Witness<'a> {
    claims: &'a Claims<'a>,
    tally: Rc<RefCell<Tally>>,
    frames: Vec<FrameTrack>,
}

impl<'a> Witness<'a> {
    pub fn new(claims: &'a Claims<'a>, tally: Rc<RefCell<Tally>>) -> Witness<'a> {
        Witness { claims, tally, frames: Vec::new() }
    }

    /// Activations of the running frame whose verification covers what runs now, the innermost first.
    fn scope(&self) -> Vec<usize> {
        let Some(frame) = self.frames.last() else { return Vec::new() };
        let mut scope = Vec::new();
        for (i, track) in frame.tracks.iter().enumerate().rev() {
            if track.function.is_some() {
                scope.push(i);
            }
            if track.by_spec {
                break;
            }
        }
        scope
    }

    fn track(&mut self, index: usize) -> Option<&mut Track> {
        self.frames.last_mut()?.tracks.get_mut(index)
    }

    /// Compares one observation with claims of one activation; what does not hold is not relied on any more.
    fn compare(&mut self, index: usize, ids: &[ClaimId], holds: Option<bool>, relied_on: bool) {
        let claims = self.claims;
        let tally = self.tally.clone();
        let Some(track) = self.track(index) else { return };
        if let (true, Some(holds)) = (track.sound, holds) {
            // Claims about the same thing at several places are broken only if none of them was given up.
            let all_proved = ids.iter().all(|id| claims.is_proved(*id));
            if holds || all_proved {
                ids.iter().for_each(|id| tally.borrow_mut().note(claims, *id, holds));
            }
        }
        if relied_on && holds != Some(true) {
            track.sound = false;
        }
    }

    // ---- the beginning of a procedure ----

    fn entered(&mut self, run: &Interpreter<'_>) {
        let (Some(frame), depth) = (run.frames().last(), run.frames().len()) else { return };
        let index = frame.activations.len() - 1;
        if index == 0 {
            self.frames.truncate(depth - 1);
            self.frames.resize_with(depth, FrameTrack::default);
            self.open_frame(run, frame);
        } else {
            self.open_procedure(run, frame, index);
        }
        self.at_block(run);
    }

    fn open_frame(&mut self, run: &Interpreter<'_>, frame: &Frame) {
        let code = frame.activations[0].proc;
        let outermost = self.frames.len() == 1;
        let mut world = run.world.clone();
        // The state that contracts speak of as the old one is that before the ether came.
        if world.transfer(frame.this, frame.caller, frame.value) {
            world.begin_transaction();
        }
        let past = Rc::new(world);
        let program = self.claims.program();
        let body = body_of(program, code);
        let locals = match body {
            Some(body) if body != code => arguments_of(run, frame, body),
            _ => frame.activations[0].locals.clone(),
        };
        let proc = body.unwrap_or(code);
        let track = self.new_track(run, frame, proc, locals, past, true);
        if outermost {
            let clauses = program.procs[proc].spec.iter().flat_map(|spec| &spec.succeeds_if);
            let must = self.holding(run, frame, &track, clauses, ObligationKind::Succeeds);
            let mut tally = self.tally.borrow_mut();
            tally.satisfied = track.sound && track.function.is_some();
            tally.must_succeed = if track.sound { must } else { Vec::new() };
        }
        let Some(this) = self.frames.last_mut() else { return };
        if proc == code {
            this.tracks.push(track);
        } else {
            let plain = Track { function: None, proc: code, must_revert: Vec::new(), ..copy(&track) };
            this.tracks.push(plain);
            this.pending = Some(track);
        }
    }

    fn open_procedure(&mut self, run: &Interpreter<'_>, frame: &Frame, index: usize) {
        let proc = frame.activations[index].proc;
        let Some(this) = self.frames.last_mut() else { return };
        this.tracks.truncate(index);
        if index == 1 && this.pending.as_ref().is_some_and(|p| p.proc == proc) {
            this.tracks.extend(this.pending.take());
            return;
        }
        let recursive = this.tracks.iter().any(|t| t.proc == proc);
        let by_spec = recursive || is_called_by_spec(self.claims.program(), frame.contract, proc);
        let locals = frame.activations[index].locals.clone();
        if by_spec {
            self.call_by_spec(run, frame, proc, &locals);
        }
        let past = Rc::new(run.world.clone());
        let mut track = self.new_track(run, frame, proc, locals, past, by_spec);
        // What is claimed of it is about calls from outside.
        if !by_spec && is_public(self.claims.program(), proc) {
            track.function = None;
        }
        if let Some(this) = self.frames.last_mut() {
            this.tracks.push(track);
        }
    }

    fn new_track(
        &self,
        run: &Interpreter<'_>,
        frame: &Frame,
        proc: ProcId,
        locals: Vec<Value>,
        past: Rc<World>,
        by_spec: bool,
    ) -> Track {
        let program = self.claims.program();
        let function = self.claims.function_of(proc);
        let mut track = Track {
            proc,
            function,
            by_spec,
            sound: true,
            locals,
            past,
            must_revert: Vec::new(),
            overflowed: false,
        };
        if function.is_some() {
            let spec = program.procs[proc].spec.as_deref();
            let invariants = &program.contracts[frame.contract].invariants;
            let assumed = if guards(program, proc).0 { invariants.as_slice() } else { &[] };
            let mut assumptions = assumed.iter().chain(spec.into_iter().flat_map(|s| &s.pre));
            let moment = self.moment(frame, &track.locals, &track.past);
            track.sound = assumptions.all(|clause| {
                run.decide_in(&track.past, clause.cond, &moment) == Some(true)
                    && (!self.overflow_matters()
                        || run.decide_in(&track.past, clause.fits, &moment) == Some(true))
            });
            let clauses = spec.into_iter().flat_map(|s| &s.reverts_if);
            track.must_revert = self.holding(run, frame, &track, clauses, ObligationKind::Reverts);
            if track.sound {
                let mut tally = self.tally.borrow_mut();
                track.must_revert.iter().for_each(|claim| tally.note(self.claims, *claim, true));
            }
        }
        track
    }

    /// Claims whose condition holds at the beginning; the others are looked at, too.
    fn holding<'c>(
        &self,
        run: &Interpreter<'_>,
        frame: &Frame,
        track: &Track,
        clauses: impl Iterator<Item = &'c Clause>,
        kind: ObligationKind,
    ) -> Vec<ClaimId> {
        let Some(function) = track.function else { return Vec::new() };
        let moment = self.moment(frame, &track.locals, &track.past);
        let holding = clauses.filter(|c| run.decide_in(&track.past, c.cond, &moment) == Some(true));
        holding.flat_map(|c| self.claims.of_clause(function, kind, c, None).iter().copied()).collect()
    }

    /// What the caller must have made sure of.
    fn call_by_spec(&mut self, run: &Interpreter<'_>, frame: &Frame, proc: ProcId, locals: &[Value]) {
        let program = self.claims.program();
        let caller = frame.activations.len() - 2;
        let activation = &frame.activations[caller];
        let block = &program.procs[activation.proc].blocks[activation.block];
        let place = block.stmts.get(activation.stmt).and_then(|s| s.span);
        let public = guards(program, proc).0;
        let invariants = &program.contracts[frame.contract].invariants;
        for clause in invariants.iter().filter(|_| public) {
            for index in self.scope() {
                let Some(past) = self.track(index).map(|t| t.past.clone()) else { continue };
                let moment = self.moment(frame, &[], &past);
                self.compare_clause(run, index, ObligationKind::Invariant, clause, place, &moment);
            }
        }
        let pre = program.procs[proc].spec.iter().flat_map(|spec| &spec.pre);
        for clause in pre {
            let now = run.world.clone();
            let moment = self.moment(frame, locals, &now);
            for index in self.scope() {
                self.compare_clause(run, index, ObligationKind::Precondition, clause, place, &moment);
            }
        }
    }

    /// Evaluates a clause that is checked and then relied on; says whether it holds.
    fn compare_clause(
        &mut self,
        run: &Interpreter<'_>,
        index: usize,
        kind: ObligationKind,
        clause: &Clause,
        place: Option<Span>,
        moment: &Moment<'_>,
    ) -> bool {
        let claims = self.claims;
        let holds = run.holds(clause, moment);
        let fits = if self.overflow_matters() { run.decide(clause.fits, moment) } else { Some(true) };
        if let Some(function) = self.track(index).and_then(|t| t.function) {
            if self.overflow_matters() {
                let ids = claims.of_clause(function, ObligationKind::Overflow, clause, place);
                self.compare(index, ids, fits, true);
            }
            self.compare(index, claims.of_clause(function, kind, clause, place), holds, true);
        }
        holds == Some(true) && fits == Some(true)
    }

    // ---- on the way ----

    fn at_block(&mut self, run: &Interpreter<'_>) {
        let Some(frame) = run.frames().last() else { return };
        let Some(top) = frame.activations.last() else { return };
        let proc = &self.claims.program().procs[top.proc];
        let invariants = &proc.blocks[top.block].invariants;
        // The old state is that in which the procedure with the loop was entered, whoever is verified.
        let Some(track) = self.frames.last().and_then(|f| f.tracks.last()).filter(|_| !invariants.is_empty())
        else {
            return;
        };
        let past = track.past.clone();
        let moment = self.moment(frame, &top.locals, &past);
        // Old parameters are not kept apart from those of now: where they differ, such clauses are not decided.
        let changed = proc.params.iter().any(|p| top.locals.get(p.index()) != track.locals.get(p.index()));
        for clause in invariants {
            for index in self.scope() {
                if changed && clause.text.contains("old") {
                    self.compare(index, &[], None, true);
                } else {
                    self.compare_clause(run, index, ObligationKind::LoopInvariant, clause, None, &moment);
                }
            }
        }
    }

    fn checked(&mut self, obligation: ObligationId, holds: bool) {
        let claims = self.claims;
        let decl = &claims.program().obligations[obligation];
        for index in self.scope() {
            let Some(function) = self.track(index).and_then(|t| t.function) else { continue };
            if !decl.silent {
                self.compare(index, claims.at(function, decl.kind, decl.span), Some(holds), false);
            } else if !holds && self.overflow_matters() {
                let ids = claims.of_kind(function, ObligationKind::Overflow);
                let given_up = ids.iter().any(|id| !claims.is_proved(*id));
                if let Some(track) = self.track(index) {
                    track.overflowed = true;
                    track.sound &= !given_up;
                }
            }
        }
    }

    fn overflow_matters(&self) -> bool {
        self.claims.subject.settings.arithmetic == Arithmetic::ModOverflow
    }

    fn before(&mut self, run: &Interpreter<'_>, stmt: &Stmt) {
        let Some(frame) = run.frames().last() else { return };
        if gives_up_control(stmt) || lets_others_look(stmt) {
            self.invariants_around_call(run, frame, stmt);
        }
        if let StmtKind::Emit { event: Some(event), .. } = &stmt.kind {
            let claims = self.claims;
            for index in self.scope() {
                let Some(track) = self.track(index) else { continue };
                let (Some(function), Some(span), proc) = (track.function, stmt.span, track.proc) else {
                    continue;
                };
                let spec = claims.program().procs[proc].spec.as_ref();
                let said = spec.is_some_and(|spec| spec.emits.contains(event));
                let ids = claims.at(function, ObligationKind::Emits, span).iter().copied();
                let ids: Vec<ClaimId> =
                    ids.filter(|id| claims.check(*id).message.contains("without saying so")).collect();
                self.compare(index, &ids, Some(said), false);
            }
        }
    }

    /// Before a call to others the invariants are claimed; after it they are relied on, if others could change something.
    fn invariants_around_call(&mut self, run: &Interpreter<'_>, frame: &Frame, stmt: &Stmt) {
        let claims = self.claims;
        for clause in &claims.program().contracts[frame.contract].invariants {
            for index in self.scope() {
                let Some(track) = self.track(index) else { continue };
                let (Some(function), past) = (track.function, track.past.clone()) else { continue };
                let ids = claims.of_clause(function, ObligationKind::Invariant, clause, stmt.span);
                if !ids.is_empty() {
                    let moment = self.moment(frame, &[], &past);
                    self.compare_clause(run, index, ObligationKind::Invariant, clause, stmt.span, &moment);
                }
            }
        }
    }

    fn back_from_call(&mut self, run: &Interpreter<'_>) {
        let Some(frame) = run.frames().last() else { return };
        let Some(stmt) = frame.stmt(self.claims.program()) else { return };
        if let Some(this) = self.frames.get_mut(run.frames().len() - 1) {
            this.tracks.truncate(frame.activations.len());
        }
        self.frames.truncate(run.frames().len());
        if gives_up_control(stmt) {
            let claims = self.claims;
            for clause in &claims.program().contracts[frame.contract].invariants {
                for index in self.scope() {
                    let Some(track) = self.track(index) else { continue };
                    let (Some(function), past) = (track.function, track.past.clone()) else { continue };
                    let ids = claims.of_clause(function, ObligationKind::Invariant, clause, stmt.span);
                    let holds = run.holds(clause, &self.moment(frame, &[], &past));
                    self.compare(index, &[], holds, !ids.is_empty());
                }
            }
        }
    }

    // ---- the end of a procedure ----

    fn returning(&mut self, run: &Interpreter<'_>, values: &[Value]) {
        let Some(frame) = run.frames().last() else { return };
        let index = frame.activations.len() - 1;
        let program = self.claims.program();
        let Some(track) = self.track(index) else { return };
        let (function, past, proc) = (track.function, track.past.clone(), track.proc);
        let overflowed = track.overflowed;
        let mut locals = track.locals.clone();
        if let Some(function) = function {
            self.no_silent_overflow(index, function);
        }
        self.no_promise_to_fail(index);
        let spec = program.procs[proc].spec.as_deref();
        for (slot, value) in spec.into_iter().flat_map(|s| &s.results).zip(values) {
            if let Some(local) = locals.get_mut(slot.index()) {
                *local = value.clone();
            }
        }
        // Also where it is not verified here: callers rely on it all the same.
        let mut kept = !overflowed;
        let moment = self.moment(frame, &locals, &past);
        for clause in spec.into_iter().flat_map(|s| &s.post) {
            kept &= self.compare_clause(run, index, ObligationKind::Postcondition, clause, None, &moment);
        }
        let place = program.procs[proc].function.as_ref().map(|f| f.span);
        let invariants = &program.contracts[frame.contract].invariants;
        for clause in invariants.iter().filter(|_| guards(program, proc).1) {
            kept &= self.compare_clause(run, index, ObligationKind::Invariant, clause, place, &moment);
        }
        if let Some(function) = function {
            kept &= self.modifies(run, frame, index, function, &locals);
        }
        self.tell_callers(index, kept);
    }

    /// It returns: then nothing overflowed unnoticed.
    fn no_silent_overflow(&mut self, index: usize, function: usize) {
        let claims = self.claims;
        if !self.overflow_matters() {
            return;
        }
        let Some(track) = self.track(index) else { return };
        let overflowed = track.overflowed;
        let ids = claims.of_kind(function, ObligationKind::Overflow).iter().copied();
        let ids: Vec<ClaimId> = ids.filter(|id| claims.check(*id).message.contains("silent")).collect();
        self.compare(index, &ids, Some(!overflowed), true);
    }

    /// It returns: then it did not have to revert. The entry that called it may yet, with what it has been given.
    fn no_promise_to_fail(&mut self, index: usize) {
        let Some(track) = self.track(index) else { return };
        let (sound, proc, must_revert) = (track.sound, track.proc, std::mem::take(&mut track.must_revert));
        let program = self.claims.program();
        let is_entry = |t: &&mut Track| t.proc != proc && body_of(program, t.proc) == Some(proc);
        let entry = self.track(0).filter(|track| index == 1 && is_entry(track));
        match entry {
            Some(entry) if sound => entry.must_revert = must_revert,
            Some(_) => {}
            None => self.compare(index, &must_revert, Some(false), false),
        }
    }

    fn modifies(
        &mut self,
        run: &Interpreter<'_>,
        frame: &Frame,
        index: usize,
        function: usize,
        locals: &[Value],
    ) -> bool {
        let claims = self.claims;
        let ids = claims.of_kind(function, ObligationKind::Modifies);
        let Some(track) = self.track(index) else { return true };
        if ids.is_empty() {
            return true;
        }
        let (past, proc) = (track.past.clone(), track.proc);
        let moment = self.moment(frame, locals, &past);
        let Some(changed) = illegal_changes(run, claims.program(), proc, &past, &moment) else {
            return false;
        };
        for id in ids {
            let named = changed.iter().any(|name| claims.check(*id).message.contains(name.as_str()));
            self.compare(index, &[*id], Some(!named), false);
        }
        changed.is_empty()
    }

    /// Callers rely on what a procedure promises at its end, if they know no more of it.
    fn tell_callers(&mut self, index: usize, kept: bool) {
        let Some(frame) = self.frames.last_mut() else { return };
        let by_spec = frame.tracks.get(index).is_some_and(|t| t.by_spec);
        if by_spec && !kept {
            frame.tracks[..index].iter_mut().for_each(|t| t.sound = false);
        }
    }

    fn moment<'m>(&self, frame: &Frame, locals: &'m [Value], old: &'m World) -> Moment<'m> {
        Moment {
            contract: frame.contract,
            this: frame.this,
            caller: frame.caller,
            value: frame.value,
            locals,
            old: Some(old),
            before: None,
        }
    }
}

fn copy(track: &Track) -> Track {
    Track {
        proc: track.proc,
        function: track.function,
        by_spec: track.by_spec,
        sound: track.sound,
        locals: track.locals.clone(),
        past: track.past.clone(),
        must_revert: track.must_revert.clone(),
        overflowed: track.overflowed,
    }
}

/// The locals of the function behind an entry, as it will be called.
fn arguments_of(run: &Interpreter<'_>, frame: &Frame, body: ProcId) -> Vec<Value> {
    let program = run.program();
    let (outer, inner) = (&program.procs[frame.activations[0].proc], &program.procs[body]);
    let zero = |ty| Value::default_of(&program.types, ty).unwrap_or(Value::bool(false));
    let mut locals: Vec<Value> = inner.locals.iter().map(|local| zero(local.ty)).collect();
    for (from, to) in outer.params.iter().zip(&inner.params) {
        locals[to.index()] = frame.activations[0].locals[from.index()].clone();
    }
    locals
}

/// Whether others get to run, who may call back.
fn gives_up_control(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::ExternalCall(call) => call.kind == CallKind::Call && call.gas != Gas::Stipend,
        StmtKind::Create(_) => true,
        _ => false,
    }
}

/// Whether others get to run, who may call back and change nothing.
fn lets_others_look(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::ExternalCall(call) => call.kind == CallKind::Static || call.gas == Gas::Stipend,
        _ => false,
    }
}

impl Watcher for Witness<'_> {
    fn see(&mut self, run: &Interpreter<'_>, event: Event<'_>) {
        match event {
            Event::Entered => return self.entered(run),
            Event::BackFromCall { .. } => return self.back_from_call(run),
            _ => {}
        }
        // Activations that have ended since are gone.
        self.frames.truncate(run.frames().len());
        if let (Some(seen), Some(frame)) = (self.frames.last_mut(), run.frames().last()) {
            seen.tracks.truncate(frame.activations.len());
        }
        match event {
            Event::Entered | Event::BackFromCall { .. } => {}
            Event::Returning(values) => self.returning(run, values),
            Event::AtBlock => self.at_block(run),
            Event::Checked { obligation, holds } => self.checked(obligation, holds),
            Event::Before(stmt) => self.before(run, stmt),
        }
    }
}

/// The contract that a claim's moment belongs to, for invariants that nobody is inside of.
pub fn outside<'m>(contract: ContractId, this: hornet_ir::U256, old: &'m World) -> Moment<'m> {
    Moment {
        contract,
        this,
        caller: hornet_ir::U256::ZERO,
        value: hornet_ir::U256::ZERO,
        locals: &[],
        old: Some(old),
        before: None,
    }
}
