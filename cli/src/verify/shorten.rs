//! Runs as short as they can be told. Engines find runs with steps that do no harm to their purpose, such as a wei from
//! nowhere; whatever can be left out, so that the run still fails on the machine, is left out.

use hornet_ir::trace::{Action, Step, Trace};
use std::time::{Duration, Instant};

/// People wait for the answer.
const PATIENCE: Duration = Duration::from_millis(400);

/// The shortest run found that `fails`, and what `fails` says of it; nothing if nothing can be left out.
pub fn shortest<T>(trace: &Trace, fails: impl Fn(&Trace) -> Option<T>) -> Option<(Trace, T)> {
    let until = Instant::now() + PATIENCE;
    let mut best: Option<(Trace, T)> = None;
    let mut at = 0;
    while Instant::now() < until {
        let current = best.as_ref().map_or(trace, |(trace, _)| trace);
        let Some(shorter) = without(current, at) else { break };
        match shorter.and_then(|shorter| Some((fails(&shorter)?, shorter))) {
            // What comes after it has its number now.
            Some((evidence, shorter)) => best = Some((shorter, evidence)),
            None => at += 1,
        }
    }
    best
}

/// The run without its step of this number, steps in steps counted as they come; `Some(None)` if it has to stay, `None`
/// if there is no such step.
fn without(trace: &Trace, number: usize) -> Option<Option<Trace>> {
    let mut shorter = trace.clone();
    // The last transaction fails, whatever is nested in it.
    let last = shorter.steps.len().checked_sub(1)?;
    let mut left = number;
    match remove(&mut shorter.steps, Some(last), &mut left)? {
        true => Some(Some(shorter)),
        false => Some(None),
    }
}

/// Whether the step could be left out; `None` if it is not here.
fn remove(steps: &mut Vec<Step>, kept: Option<usize>, left: &mut usize) -> Option<bool> {
    for index in 0..steps.len() {
        if *left == 0 {
            let needed = kept == Some(index) || matches!(steps[index].action, Action::Deploy { .. });
            if !needed {
                steps.remove(index);
            }
            return Some(!needed);
        }
        *left -= 1;
        let nested =
            steps[index].outside.iter_mut().find_map(|outside| remove(&mut outside.reenters, None, left));
        if nested.is_some() {
            return nested;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use hornet_evm::U256;
    use hornet_ir::ids::ContractId;
    use hornet_ir::program::ObligationKind;
    use hornet_ir::span::{FileId, Span};
    use hornet_ir::trace::{Failure, Outside};

    fn step(value: u64, action: Action, reenters: Vec<Step>) -> Step {
        let outside = Outside {
            span: None,
            target: U256::ZERO,
            value: U256::ZERO,
            succeeds: true,
            returns: Vec::new(),
            reenters,
            writes: Default::default(),
        };
        Step {
            whose: None,
            action,
            caller: U256::ZERO,
            origin: U256::ZERO,
            value: U256::from(value),
            environment: Vec::new(),
            outside: vec![outside],
            starved: None,
        }
    }

    fn gift(value: u64, reenters: Vec<Step>) -> Step {
        step(value, Action::ForcedEther, reenters)
    }

    fn values(steps: &[Step]) -> Vec<u64> {
        let nested = |step: &Step| values(&step.outside[0].reenters);
        steps.iter().flat_map(|s| [vec![s.value.to::<u64>()], nested(s)].concat()).collect()
    }

    #[test]
    fn only_what_matters_is_left() {
        let steps = vec![
            step(0, Action::Deploy { args: Vec::new() }, Vec::new()),
            gift(1, vec![gift(2, Vec::new())]),
            gift(3, vec![gift(4, Vec::new()), gift(5, vec![gift(6, Vec::new())])]),
            gift(7, vec![gift(8, Vec::new()), gift(9, Vec::new())]),
        ];
        let span = Span::new(FileId(0), 0, 0);
        let failure = Failure { kind: ObligationKind::Assertion, span, clause: None };
        let trace = Trace { contract: ContractId(0), this: U256::ZERO, balances: Vec::new(), steps, failure };
        let fails = |wanted: &'static [u64]| {
            move |trace: &Trace| {
                let left = values(&trace.steps);
                wanted.iter().all(|value| left.contains(value)).then_some(left)
            }
        };
        assert_eq!(shortest(&trace, fails(&[5, 9])).unwrap().1, [0, 3, 5, 7, 9]);
        assert_eq!(shortest(&trace, fails(&[])).unwrap().1, [0, 7]);
        assert!(shortest(&trace, fails(&[2, 4, 6, 8, 9])).is_none());
    }
}
