//! Asks the solvers, and turns their answers into verdicts.

use crate::counterexample::{Questions, questions};
use crate::options::Options;
use crate::report::{Check, FunctionVerdict, Verdict, Warning};
use hornet_ir::program::ObligationKind;
use hornet_ir::span::Span;
use hornet_smt::solver::{self, Outcome, Reason};
use hornet_smt::term::{Op, TermId, Terms};
use hornet_symbolic::exec::{Beyond, Executor, Gap, Goal, Sanity, SanityKind, Subject, Target};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Everything found out about one target.
pub struct Answers {
    pub checks: Vec<Check>,
    pub warnings: Vec<Warning>,
    pub verdict: FunctionVerdict,
    /// Things that are not modelled and that runs can get to.
    pub unsupported: Vec<(String, Option<Span>)>,
}

impl Answers {
    /// The work was stopped before it was known that nothing rests on a check that may fail.
    pub fn withdraw_proofs(&mut self) {
        for check in self.checks.iter_mut().filter(|check| check.verdict == Verdict::Proved) {
            check.verdict = Verdict::Unknown(reason_text(&Reason::Stopped));
        }
        if self.verdict == FunctionVerdict::Ok {
            self.verdict = FunctionVerdict::Inconclusive;
        }
    }
}

/// What is asked, in the order of the solver's goals.
enum Ask {
    Goal(usize, Questions),
    Gap(usize),
    Sanity(usize),
}

pub fn solve(
    ex: &mut Executor<'_>,
    target: &Target,
    function: usize,
    sanity: &[Sanity],
    options: &Options,
    stop: &AtomicBool,
) -> Answers {
    let goals = std::mem::take(&mut ex.goals);
    let mut asks = Vec::new();
    let mut queries = Vec::new();
    let prefix = format!("{}-{}", ex.program.contracts[target.contract].name, target.name);
    let mut claims = Vec::new();
    for (i, goal) in goals.iter().enumerate() {
        let claim = ex.cx.terms.or_all(goal.claims.iter().map(|c| c.term));
        claims.push(claim);
        if ex.cx.terms.as_bool(claim) == Some(false) || goal.blocked.is_some() {
            continue;
        }
        let questions = questions(ex, target, goal);
        let name = format!("{prefix}-{i}");
        queries.push(solver::Goal { name, claim, wanted: questions.wanted() });
        asks.push(Ask::Goal(i, questions));
    }
    let first_claims: Vec<TermId> = queries.iter().map(|q| q.claim).collect();
    for (i, gap) in ex.gaps.iter().enumerate() {
        queries.push(solver::Goal { name: format!("{prefix}-gap{i}"), claim: gap.reach, wanted: Vec::new() });
        asks.push(Ask::Gap(i));
    }
    for (i, question) in sanity.iter().enumerate() {
        if worth_asking(ex, target, question) {
            let name = format!("{prefix}-sanity{i}");
            queries.push(solver::Goal { name, claim: question.reach, wanted: Vec::new() });
            asks.push(Ask::Sanity(i));
        }
    }
    let background = background(ex, &first_claims);
    let verdicts =
        solver::refute_all(&ex.cx.terms, &background, &queries, &options.solving_for(target.contract), stop);
    collect(ex, target, function, goals, &claims, sanity, &asks, &verdicts)
}

/// Facts about the symbols, and lemmas about the sums, products and quotients that occur.
pub fn background(ex: &mut Executor<'_>, claims: &[TermId]) -> Vec<TermId> {
    let mut background = ex.cx.facts().to_vec();
    let roots: Vec<TermId> = background.iter().chain(claims).copied().collect();
    let sums = ex.cx.sum_facts(&roots);
    background.extend(sums);
    let more: Vec<TermId> = background.iter().chain(claims).copied().collect();
    background.extend(hornet_symbolic::lemmas(&mut ex.cx.terms, &more));
    background
}

/// Whether it matters that something can happen: only where annotations rely on it.
fn worth_asking(ex: &Executor<'_>, target: &Target, question: &Sanity) -> bool {
    let contract = &ex.program.contracts[target.contract];
    let spec = ex.subject.and_then(|p| ex.program.procs[p].spec.as_deref());
    match question.what {
        SanityKind::Invariants => !contract.invariants.is_empty(),
        SanityKind::Preconditions => true,
        SanityKind::Returns => spec.is_some_and(|s| !s.post.is_empty()),
    }
}

#[allow(clippy::too_many_arguments)]
fn collect(
    ex: &Executor<'_>,
    target: &Target,
    function: usize,
    goals: Vec<Goal>,
    claims: &[TermId],
    sanity: &[Sanity],
    asks: &[Ask],
    verdicts: &[solver::Verdict],
) -> Answers {
    let find =
        |wanted: &dyn Fn(&Ask) -> bool| asks.iter().position(wanted).map(|at| (&asks[at], &verdicts[at]));
    let is_possible = |gap: usize| {
        find(&|ask| matches!(ask, Ask::Gap(g) if *g == gap)).is_none_or(|(_, v)| v.outcome != Outcome::Unsat)
    };
    let open_gaps: Vec<usize> = (0..ex.gaps.len()).filter(|g| is_possible(*g)).collect();
    let first_gap = open_gaps.first().map(|g| &ex.gaps[*g]);
    let beyond = Beyond::new(ex, target, &goals);
    let mut checks = Vec::new();
    for (i, goal) in goals.into_iter().enumerate() {
        let asked = find(&|ask| matches!(ask, Ask::Goal(g, _) if *g == i));
        let passed = goal.claims.iter().map(|c| c.unsupported_before).max().unwrap_or(0);
        let repeated = beyond.is_repeated(goal.subject.kind, goal.subject.span);
        let gap = open_gaps.iter().find(|g| repeated || **g < passed).map(|g| &ex.gaps[*g]);
        let blocked = goal.blocked.clone();
        let subject = goal.subject;
        let mut check = Check {
            kind: subject.kind,
            function,
            span: subject.span,
            annotation: subject.annotation,
            related: Vec::new(),
            message: subject.message,
            verdict: Verdict::Proved,
            counterexample: None,
            solver: asked.map(|(_, v)| v.solver.clone()),
            time: asked.map_or(Duration::ZERO, |(_, v)| v.elapsed),
        };
        check.verdict = match (asked, blocked, gap) {
            (_, Some(what), _) => Verdict::Unsupported { what, span: None },
            (Some((Ask::Goal(_, questions), answer)), None, gap) => match &answer.outcome {
                Outcome::Sat { .. } if reverts_cleanly(check.kind, ex, claims[i]) => {
                    Verdict::Unknown(MAY_BE_UNREACHABLE.to_owned())
                }
                Outcome::Sat { values } => match approximation(&ex.cx.terms, claims[i]) {
                    Some(what) => Verdict::Unknown(format!("{what} only approximated")),
                    None => {
                        let (counterexample, causes) = questions.answer(values);
                        let wraps = |span| (span, "this can wrap around".to_owned());
                        check.counterexample = Some(counterexample);
                        check.related = causes.into_iter().map(wraps).collect();
                        Verdict::Violated
                    }
                },
                Outcome::Unsat => match gap {
                    Some(gap) => Verdict::Unsupported { what: gap.what.clone(), span: gap.span },
                    None => Verdict::Proved,
                },
                Outcome::Unknown(reason) => Verdict::Unknown(reason_text(reason)),
                Outcome::Contradiction { unsat, sat } => {
                    Verdict::Unknown(format!("internal error: {unsat} says it holds, {sat} says it fails"))
                }
            },
            (_, None, Some(gap)) => Verdict::Unsupported { what: gap.what.clone(), span: gap.span },
            (_, None, None) => Verdict::Proved,
        };
        checks.push(check);
    }
    checks.extend(beyond.missing.into_iter().map(|subject| not_reached(function, subject, first_gap)));
    let verdict = function_verdict(&checks, ex, &open_gaps);
    let warnings = sanity
        .iter()
        .enumerate()
        // Checks that fail are relied on afterwards: then it says nothing that no run goes on.
        .filter(|(_, question)| {
            question.what != SanityKind::Returns
                || (verdict != FunctionVerdict::Error && open_gaps.is_empty())
        })
        .filter(|(i, _)| {
            find(&|ask| matches!(ask, Ask::Sanity(s) if s == i))
                .is_some_and(|(_, v)| v.outcome == Outcome::Unsat)
        })
        .map(|(_, question)| warning(ex, target, question.what))
        .collect::<Vec<_>>();
    let unsupported = open_gaps.iter().map(|g| (ex.gaps[*g].what.clone(), ex.gaps[*g].span)).collect();
    Answers { checks, warnings, verdict, unsupported }
}

/// A check that no run we know of gets to: it holds, unless runs beyond a gap do.
fn not_reached(function: usize, subject: Subject, gap: Option<&Gap>) -> Check {
    Check {
        kind: subject.kind,
        function,
        span: subject.span,
        annotation: subject.annotation,
        related: Vec::new(),
        message: subject.message,
        verdict: match gap {
            Some(gap) => Verdict::Unsupported { what: gap.what.clone(), span: gap.span },
            None => Verdict::Proved,
        },
        counterexample: None,
        solver: None,
        time: Duration::ZERO,
    }
}

/// The language undoes a call that goes wrong in this way, so no promise of the function is broken; and whether the
/// contract ever gets into the state that it takes, or calls an internal function with such arguments, is not for this
/// engine to say. Where none of that matters, anybody can do it.
fn reverts_cleanly(kind: ObligationKind, ex: &Executor<'_>, claim: TermId) -> bool {
    match kind {
        ObligationKind::OutOfBounds
        | ObligationKind::EmptyPop
        | ObligationKind::DivisionByZero
        | ObligationKind::EnumConversion => ex.depends_on_others(claim),
        ObligationKind::Overflow | ObligationKind::Underflow => {
            !ex.detects_overflow() && ex.depends_on_others(claim)
        }
        ObligationKind::Assertion
        | ObligationKind::InsufficientBalance
        | ObligationKind::Invariant
        | ObligationKind::LoopInvariant
        | ObligationKind::Precondition
        | ObligationKind::Postcondition
        | ObligationKind::Modifies
        | ObligationKind::Emits
        | ObligationKind::EventPrecondition
        | ObligationKind::EventPostcondition
        | ObligationKind::Succeeds
        | ObligationKind::Reverts => false,
    }
}

/// Why a check that only reverts is not decided.
pub const MAY_BE_UNREACHABLE: &str =
    "reverts in some state, and it is not known whether that state is reachable";

fn function_verdict(checks: &[Check], _ex: &Executor<'_>, open_gaps: &[usize]) -> FunctionVerdict {
    let any = |wanted: &dyn Fn(&Verdict) -> bool| checks.iter().any(|c| wanted(&c.verdict));
    if any(&|v| *v == Verdict::Violated) {
        FunctionVerdict::Error
    } else if any(&|v| matches!(v, Verdict::Unsupported { .. }))
        || (checks.is_empty() && !open_gaps.is_empty())
    {
        FunctionVerdict::Skipped
    } else if any(&|v| matches!(v, Verdict::Unknown(reason) if reason == TIME_LIMIT)) {
        FunctionVerdict::TimeOut
    } else if any(&|v| matches!(v, Verdict::Unknown(reason) if reason != MAY_BE_UNREACHABLE)) {
        FunctionVerdict::Inconclusive
    } else {
        FunctionVerdict::Ok
    }
}

/// Why a check that takes too long is not decided.
pub const TIME_LIMIT: &str = "the time limit was reached";

fn reason_text(reason: &Reason) -> String {
    match reason {
        Reason::TimeOut => TIME_LIMIT.to_owned(),
        Reason::Memory => "the memory limit was reached".to_owned(),
        Reason::Crashed(how) => format!("the solver ended unexpectedly: {how}"),
        Reason::Stopped => "the work was stopped".to_owned(),
        Reason::GaveUp(why) => format!("the solver gave up: {why}"),
    }
}

/// Functions and symbols named `~…` are not what they stand for: a refutation that uses one may be wrong.
fn approximation(terms: &Terms, claim: TermId) -> Option<&'static str> {
    let mut found = None;
    terms.walk(&[claim], |term| match terms.op(term) {
        Op::Apply(function) if function.name.starts_with("~exp") => found = Some("powers are"),
        Op::Apply(function) if function.name.starts_with('~') => found = Some(RAW_ACCESS),
        Op::Symbol(name) if name.starts_with('~') => found = Some(RAW_ACCESS),
        _ => {}
    });
    found
}

const RAW_ACCESS: &str = "what inline assembly does to memory or storage is";

fn warning(ex: &Executor<'_>, target: &Target, what: SanityKind) -> Warning {
    let contract = &ex.program.contracts[target.contract];
    let spec = ex.subject.and_then(|p| ex.program.procs[p].spec.as_deref());
    let (clauses, message) = match what {
        SanityKind::Invariants => (
            Some(&contract.invariants),
            "the invariants contradict each other: everything is proved from them",
        ),
        SanityKind::Preconditions => (
            spec.map(|s| &s.pre),
            "no call satisfies these preconditions and the invariants: everything is proved from them",
        ),
        SanityKind::Returns => (
            spec.map(|s| &s.post),
            "no run of the function returns: what is claimed about its end holds trivially",
        ),
    };
    let span =
        clauses.and_then(|c| c.first()).map_or(target.span, |c| ex.program.obligations[c.obligation].span);
    Warning { span, message: message.to_owned(), help: None }
}
