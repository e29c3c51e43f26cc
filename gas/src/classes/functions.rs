//! Functions that are called have classes of their own (Algorithm 4): which prices go together inside of them, whatever
//! they are called with. Callers choose between those and never ask about the rest.

use hornet_ir::ids::ProcId;
use hornet_smt::term::TermId;
use hornet_symbolic::exec::Executor;
use rustc_hash::{FxHashMap, FxHashSet};

use super::cases::{Choice, Taken};
use super::point::{By, Call, Key, Point, Step, Survey};

/// What a run takes at some points of the code.
pub(super) type Assignment = Vec<(Key, Taken)>;

/// The classes of functions, by what happens at the points inside of them.
#[derive(Default)]
pub(super) struct Library {
    classes: FxHashMap<ProcId, Vec<Assignment>>,
    /// How many questions the solver was asked.
    pub questions: usize,
}

/// A choice, with what its options mean.
pub(super) struct Meant {
    pub choice: Choice,
    /// For each option, what is taken where.
    pub options: Vec<Assignment>,
    /// What is taken where if the run does not get there.
    pub none: Assignment,
    /// For each option, the conditions that are told of it.
    pub told: Vec<Vec<TermId>>,
    /// The option whose prices are not told apart.
    pub open: Option<usize>,
}

/// A callee with more classes than this is looked into at each call.
const MOST_CLASSES: usize = 24;

/// The choices of a run: one for each point, or for all those inside a call of a function whose classes are known.
/// Amounts come last.
pub(super) fn choices(ex: &mut Executor<'_>, survey: &Survey, library: &Library) -> Vec<Meant> {
    let mut covered: FxHashSet<usize> = FxHashSet::default();
    let (mut found, mut amounts) = (Vec::new(), Vec::new());
    for (at, point) in survey.points.iter().enumerate() {
        if covered.contains(&at) {
            continue;
        }
        let call = survey.calls.iter().find(|call| {
            point.by == By::Values
                && point.key.calls.starts_with(&call.calls)
                && library.classes.contains_key(&call.callee)
        });
        match call {
            Some(call) => {
                let inside: Vec<usize> = (at..survey.points.len())
                    .filter(|i| is_inside(&survey.points[*i], &call.calls) && !covered.contains(i))
                    .collect();
                found.extend(of_call(ex, survey, call, &inside, &library.classes[&call.callee]));
                covered.extend(inside);
            }
            None if point.by == By::Amount => amounts.extend(of_point(ex, point)),
            None => found.extend(of_point(ex, point)),
        }
    }
    found.extend(amounts);
    found
}

fn is_inside(point: &Point, calls: &[Step]) -> bool {
    point.by == By::Values && point.key.calls.starts_with(calls)
}

/// `None` if there is nothing to choose.
fn of_point(ex: &Executor<'_>, point: &Point) -> Option<Meant> {
    let never = |term: TermId| ex.cx.terms.as_bool(term) == Some(false);
    let question = &point.question;
    let possible: Vec<usize> = (0..question.options.len()).filter(|i| !never(question.options[*i])).collect();
    if possible.len() < 2 || never(point.guard) {
        return None;
    }
    let last = question.options.len() - 1;
    let terms: Vec<TermId> = possible.iter().map(|i| question.options[*i]).collect();
    Some(Meant {
        options: possible.iter().map(|i| vec![(point.key.clone(), Some(*i))]).collect(),
        none: vec![(point.key.clone(), None)],
        told: possible.iter().map(|i| vec![question.told[*i]]).collect(),
        open: possible.iter().position(|i| *i == last).filter(|_| question.open),
        choice: Choice { guard: point.guard, options: terms },
    })
}

/// A call as one choice between the classes of the callee.
fn of_call(
    ex: &mut Executor<'_>,
    survey: &Survey,
    call: &Call,
    inside: &[usize],
    classes: &[Assignment],
) -> Option<Meant> {
    let points: FxHashMap<Key, &Point> =
        inside.iter().map(|i| (relative(&survey.points[*i].key, &call.calls), &survey.points[*i])).collect();
    let (mut terms, mut options, mut told) = (Vec::new(), Vec::new(), Vec::new());
    for class in classes {
        let mut parts = Vec::new();
        let mut says = Vec::new();
        for (key, taken) in class {
            match (points.get(key), taken) {
                (Some(point), Some(option)) => {
                    parts.extend([point.guard, point.question.options[*option]]);
                    says.push(point.question.told[*option]);
                }
                (Some(point), None) => {
                    let inside = ex.cx.terms.and(call.guard, point.guard);
                    parts.push(ex.cx.terms.not(inside));
                }
                // At this call, nothing gets there.
                (None, Some(_)) => parts.push(ex.cx.terms.bool(false)),
                (None, None) => {}
            }
        }
        let term = ex.cx.terms.and_all(parts);
        if ex.cx.terms.as_bool(term) != Some(false) {
            terms.push(term);
            options.push(absolute(class, &call.calls));
            told.push(says);
        }
    }
    let keys = classes.first().map(|class| absolute(class, &call.calls)).unwrap_or_default();
    let none = keys.into_iter().map(|(key, _)| (key, None)).collect();
    let choice = Choice { guard: call.guard, options: terms };
    (choice.options.len() > 1).then_some(Meant { choice, options, none, told, open: None })
}

fn relative(key: &Key, calls: &[Step]) -> Key {
    Key { calls: key.calls[calls.len()..].to_vec(), ..key.clone() }
}

fn absolute(class: &Assignment, calls: &[Step]) -> Assignment {
    let key = |key: &Key| Key { calls: [calls, &key.calls].concat(), ..key.clone() };
    class.iter().map(|(inner, taken)| (key(inner), *taken)).collect()
}

impl Library {
    /// Remembers the cases of a function, unless they are too many to choose from.
    pub fn add(&mut self, function: ProcId, meant: &[Meant], cases: &[Vec<Taken>]) {
        if cases.len() > MOST_CLASSES {
            return;
        }
        let class = |taken: &Vec<Taken>| -> Assignment {
            let made = meant.iter().zip(taken);
            made.flat_map(|(meant, taken)| taken.map_or(&meant.none, |i| &meant.options[i]).clone()).collect()
        };
        self.classes.insert(function, cases.iter().map(class).collect());
    }
}
