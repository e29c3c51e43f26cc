//! What makes a trace pleasant to read, in groups: each is kept if a run can have it.

use hornet_ir::U256;
use hornet_ir::expr::EnvVar;
use hornet_ir::types::Type;
use hornet_smt::term::TermId;
use hornet_symbolic::LeafKind;
use hornet_symbolic::exec::{Action, Executor, Step};

/// Addresses that are easily told apart.
const PEOPLE: [u64; 3] = [0x000a_11ce, 0x000b_0b0b, 0x000c_a401];
const SMALL: u64 = 1000;
const SHORT: u64 = 3;
/// Time and blocks: some ten thousand years.
const SOON: u64 = 1 << 38;

/// The steps of a run, and those inside them.
fn all_steps(steps: &[Step]) -> Vec<&Step> {
    let mut all: Vec<&Step> = steps.iter().collect();
    let mut next = 0;
    while let Some(step) = all.get(next).copied() {
        next += 1;
        let asked = step.ways.iter().flat_map(|way| &way.asked);
        all.extend(asked.flat_map(|asked| asked.meanwhile.iter().map(|(_, inner)| inner)));
    }
    all
}

pub fn preferences(ex: &mut Executor<'_>, steps: &[Step]) -> Vec<TermId> {
    let all = all_steps(steps);
    let mut groups = Vec::new();
    let mut fed = Vec::new();
    let mut quiet = Vec::new();
    let mut simple = Vec::new();
    let mut small = Vec::new();
    for step in &all {
        for asked in step.ways.iter().flat_map(|way| &way.asked) {
            for (does, _) in &asked.meanwhile {
                quiet.push(ex.cx.terms.not(*does));
            }
            quiet.extend(asked.writes.as_ref().map(|writes| ex.cx.terms.not(writes.happens)));
            small.push(at_most(ex, asked.returned[0], 200));
        }
        let own_calls = step.ways.iter().flat_map(|way| &way.own_calls);
        fed.extend(own_calls.map(|call| ex.cx.terms.not(call.starved)));
        simple.push(ex.cx.terms.eq(step.caller, step.origin));
        small.push(at_most(ex, step.value, SMALL));
        for (_, term) in
            step.environment.iter().filter(|(var, _)| matches!(var, EnvVar::Timestamp | EnvVar::Number))
        {
            small.push(at_most(ex, *term, SOON));
        }
        for (ty, value) in step.ways.iter().flat_map(|way| &way.args) {
            let Ok(shape) = ex.cx.shape(*ty) else { continue };
            for (leaf, term) in shape.iter().zip(value.iter()).filter(|(leaf, _)| leaf.indices.is_empty()) {
                match &leaf.kind {
                    LeafKind::Length => small.push(at_most(ex, *term, SHORT)),
                    LeafKind::Scalar(ty) if matches!(ex.program.types.get(*ty), Type::Int { .. }) => {
                        small.push(at_most(ex, *term, SMALL));
                    }
                    _ => {}
                }
            }
        }
    }
    // Contracts that nobody needs are not deployed.
    for way in all.iter().flat_map(|step| &step.ways).filter(|way| way.action == Action::Deploy) {
        if way.whose.is_some() {
            groups.push(ex.cx.terms.not(way.chosen));
        }
    }
    groups.push(ex.cx.terms.and_all(fed));
    groups.push(ex.cx.terms.and_all(quiet));
    groups.push(ex.cx.terms.and_all(simple));
    let named: Vec<TermId> =
        all.iter().flat_map(|s| [s.caller, s.origin]).map(|address| one_of(ex, address)).collect();
    groups.push(ex.cx.terms.and_all(named));
    groups.push(ex.cx.terms.and_all(small));
    groups.retain(|group| ex.cx.terms.as_bool(*group) != Some(true));
    groups
}

fn one_of(ex: &mut Executor<'_>, address: TermId) -> TermId {
    let people = PEOPLE.map(|person| {
        let person = ex.cx.ints.constant(&mut ex.cx.terms, &Type::Address, U256::from(person));
        ex.cx.terms.eq(address, person)
    });
    ex.cx.terms.or_all(people)
}

fn at_most(ex: &mut Executor<'_>, number: TermId, limit: u64) -> TermId {
    if *ex.cx.terms.sort(number) == hornet_smt::term::Sort::Bool {
        return ex.cx.terms.bool(true);
    }
    let limit = ex.number_like(number, limit);
    ex.at_most(number, limit)
}
