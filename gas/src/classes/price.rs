//! What decides the price of writing to storage, by the rules of the fork.

use hornet_evm::machine::Fork;
use hornet_ir::ids::TypeId;
use hornet_ir::layout::packed_bytes;
use hornet_ir::types::Type;
use hornet_smt::term::TermId;
use hornet_symbolic::exec::Executor;
use hornet_symbolic::{Key, Res, Spot, State, Tree};

use super::amount::{self, Unit};
use super::point::{By, Question};
use super::refund;
use super::slot::{neighbours, type_of};

pub(super) enum Written {
    Value(Tree),
    Zero,
    /// Of an array or of bytes, and how many elements are taken away, where that is known.
    Length(TermId, Option<u32>),
}

/// What a fork takes for writing.
#[derive(Clone, Copy)]
pub(super) struct Rules {
    pub fork: Fork,
    /// What is given back is told apart, too.
    pub refunds: bool,
    /// Of arrays and bytes, how much is looked at.
    pub rounds: u32,
}

/// A write, slot by slot.
pub(super) struct Pricing<'a, 'p> {
    pub ex: &'a mut Executor<'p>,
    pub rules: Rules,
    pub now: &'a State,
    /// One for each slot that is written.
    pub questions: Vec<(Question, By)>,
    pub varies: Option<&'static str>,
}

impl Pricing<'_, '_> {
    fn ask(&mut self, options: Vec<TermId>) {
        self.questions.push((options.into(), By::Values));
    }

    /// `there`: the write takes place, if it is not certain that it does.
    pub fn write(&mut self, spot: &Spot, written: &Written, there: Option<TermId>) -> Res<()> {
        let Some(ty) = type_of(self.ex.program, spot) else { return Ok(()) };
        match (self.ex.program.types.get(ty).clone(), written) {
            (Type::Struct(id), Written::Value(_) | Written::Zero) => {
                let fields: Vec<TypeId> =
                    self.ex.program.types.structs[id].fields.iter().map(|f| f.ty).collect();
                self.fields(spot, &fields, written, there)
            }
            (Type::Mapping { .. }, _) => Ok(()),
            (Type::Bytes, _) => self.bytes(spot, ty, written, there),
            (Type::Array { elem, len: Some(len) }, _) => {
                match u32::try_from(len).ok().filter(|len| *len <= MOST_ELEMENTS) {
                    Some(len) => (0..len).try_for_each(|at| {
                        let at = self.ex.cx.word(at.into());
                        let element = self.part(elem, written, 0, at)?;
                        self.element(spot, elem, at, &element, there)
                    }),
                    None => self.differs("what long arrays hold"),
                }
            }
            (Type::Array { elem, len: None }, _) => self.array(spot, elem, written, there),
            (_, Written::Value(value)) => self.slot(spot, value[0], there),
            (_, Written::Zero | Written::Length(..)) => {
                let zero = zero_like(self.ex, self.now, spot)?;
                self.slot(spot, zero, there)
            }
        }
    }

    fn differs(&mut self, by: &'static str) -> Res<()> {
        self.varies = Some(by);
        Ok(())
    }

    fn fields(
        &mut self,
        spot: &Spot,
        fields: &[TypeId],
        written: &Written,
        there: Option<TermId>,
    ) -> Res<()> {
        let mut at = 0;
        for (i, field) in fields.iter().enumerate() {
            let size = self.ex.cx.shape(*field)?.len();
            let mut keys = spot.keys.clone();
            keys.push(Key::Field(i as u32));
            let part = Spot { keys, ..spot.clone() };
            let written = match written {
                Written::Value(value) => Written::Value(value[at..at + size].into()),
                Written::Zero | Written::Length(..) => Written::Zero,
            };
            at += size;
            self.write(&part, &written, there)?;
        }
        Ok(())
    }

    /// The slot with the length, and elements that are written or cleared.
    fn array(&mut self, spot: &Spot, elem: TypeId, written: &Written, there: Option<TermId>) -> Res<()> {
        let old = self.ex.cx.read_spot(self.now, spot)?[0];
        let new = match written {
            Written::Value(value) => value[0],
            Written::Length(length, _) => *length,
            Written::Zero => self.ex.cx.word(0),
        };
        self.slot(spot, new, there)?;
        match written {
            Written::Length(_, Some(0)) => return Ok(()),
            Written::Length(_, Some(1)) => return self.element(spot, elem, new, &Written::Zero, there),
            Written::Length(..) => return self.differs("how many elements are taken away"),
            Written::Value(_) | Written::Zero => {}
        }
        for length in [old, new] {
            let question = amount::of_length(self.ex, length, Unit::Elements, self.rules.rounds);
            self.questions.extend(question.map(|question| (question, By::Amount)));
        }
        for at in 0..self.rules.rounds {
            let at = self.ex.cx.word(at.into());
            let element = self.part(elem, written, 1, at)?;
            let terms = &mut self.ex.cx.terms;
            let (unused, unwritten) = (terms.le(old, at), terms.le(new, at));
            let nothing = terms.and(unused, unwritten);
            let something = terms.not(nothing);
            let there = there.map_or(something, |there| terms.and(there, something));
            self.element(spot, elem, at, &element, Some(there))?;
        }
        Ok(())
    }

    /// What is written to one element of an array, whose elements come after so many leaves.
    fn part(&mut self, elem: TypeId, written: &Written, skipped: usize, at: TermId) -> Res<Written> {
        let Written::Value(value) = written else { return Ok(Written::Zero) };
        let there = match skipped {
            0 => self.ex.cx.terms.bool(true),
            _ => self.ex.cx.terms.lt(at, value[0]),
        };
        let given: Tree = value[skipped..].iter().map(|leaf| self.ex.cx.terms.select(*leaf, at)).collect();
        let zero = self.ex.cx.zero(elem)?;
        Ok(Written::Value(self.ex.cx.ite(there, &given, &zero)))
    }

    fn element(
        &mut self,
        spot: &Spot,
        elem: TypeId,
        at: TermId,
        written: &Written,
        there: Option<TermId>,
    ) -> Res<()> {
        if share_slots(self.ex, elem) {
            return self.differs("elements that share a slot");
        }
        let mut keys = spot.keys.clone();
        keys.push(Key::Index([at].into()));
        self.write(&Spot { keys, ..spot.clone() }, written, there)
    }

    /// Short byte strings are in one slot, with their length; long ones elsewhere, and are not told apart.
    fn bytes(&mut self, spot: &Spot, ty: TypeId, written: &Written, there: Option<TermId>) -> Res<()> {
        let old = self.ex.cx.read_spot(self.now, spot)?;
        let first = self.ex.cx.read_spot(&original(), spot)?;
        let new = match written {
            Written::Value(value) => value.clone(),
            Written::Zero => self.ex.cx.zero(ty)?,
            Written::Length(length, _) => return self.resized(old[0], *length),
        };
        if old != first {
            return self.differs("what byte strings in storage hold");
        }
        for length in [old[0], new[0]] {
            let question = amount::of_stored_bytes(self.ex, length);
            self.questions.extend(question.map(|question| (question, By::Amount)));
        }
        let mut parts = vec![self.ex.cx.terms.eq(old[0], new[0])];
        // Byte by byte, so that a model says what each of them is.
        for at in 0..SHORT {
            let at = self.ex.cx.word(at);
            let [before, after] = [old[1], new[1]].map(|bytes| self.ex.cx.terms.select(bytes, at));
            parts.push(self.ex.cx.terms.eq(before, after));
        }
        let same = self.ex.cx.terms.and_all(parts);
        let other = self.ex.cx.terms.not(same);
        let options = only_if(self.ex, there, vec![same, other]);
        self.ask(options);
        Ok(())
    }

    /// One byte more or less: what matters is where the bytes are.
    fn resized(&mut self, old: TermId, new: TermId) -> Res<()> {
        for length in [old, new] {
            let question = amount::of_stored_bytes(self.ex, length);
            self.questions.extend(question.map(|question| (question, By::Amount)));
        }
        self.differs("what byte strings in storage hold")
    }

    fn slot(&mut self, spot: &Spot, new: TermId, there: Option<TermId>) -> Res<()> {
        let options = of_slot(self.ex, self.rules, self.now, spot, new)?;
        let options = only_if(self.ex, there, options);
        self.ask(options);
        Ok(())
    }
}

/// The most bytes that are in the slot of their length.
const SHORT: u64 = 31;

/// Of arrays of a fixed length, longer ones are not looked at element by element.
const MOST_ELEMENTS: u32 = 8;

/// Whether elements of this type are packed, several to a slot.
pub(super) fn share_slots(ex: &Executor<'_>, elem: TypeId) -> bool {
    let types = &ex.program.types;
    types.get(elem).is_scalar() && packed_bytes(types, elem) <= 16
}

/// Another option for when there is nothing to decide.
fn only_if(ex: &mut Executor<'_>, there: Option<TermId>, options: Vec<TermId>) -> Vec<TermId> {
    let Some(there) = there else { return options };
    let terms = &mut ex.cx.terms;
    let mut all = vec![terms.not(there)];
    all.extend(options.into_iter().map(|option| terms.and(there, option)));
    all
}

fn zero_like(ex: &mut Executor<'_>, now: &State, spot: &Spot) -> Res<TermId> {
    match type_of(ex.program, spot) {
        Some(ty) => Ok(ex.cx.zero(ty)?[0]),
        None => Ok(ex.cx.read_spot(now, spot)?[0]),
    }
}

/// The state in which the transaction began.
fn original() -> State {
    State::default()
}

/// What is in a slot: at first, now, and after the write.
pub(super) struct Change {
    pub same: TermId,
    /// Nothing was written to it in this transaction, or what was there at first.
    pub clean: TermId,
    /// It ends up as it was at first.
    pub restores: TermId,
    pub first_is_zero: TermId,
    pub current_is_zero: TermId,
    pub new_is_zero: TermId,
}

impl Change {
    fn new(ex: &mut Executor<'_>, now: &State, spot: &Spot, new: TermId) -> Res<Change> {
        let before = original();
        let (current, first) = (ex.cx.read_spot(now, spot)?[0], ex.cx.read_spot(&before, spot)?[0]);
        let zero = zero_like(ex, now, spot)?;
        let mut is_zero = [new, current, first].map(|value| ex.cx.terms.eq(value, zero));
        let mut clean = ex.cx.terms.eq(current, first);
        let mut restores = ex.cx.terms.eq(new, first);
        for other in neighbours(ex.program, spot) {
            let (current, first) = (ex.cx.read_spot(now, &other)?[0], ex.cx.read_spot(&before, &other)?[0]);
            let zero = zero_like(ex, now, &other)?;
            for (all, value) in is_zero.iter_mut().zip([current, current, first]) {
                let part = ex.cx.terms.eq(value, zero);
                *all = ex.cx.terms.and(*all, part);
            }
            let same = ex.cx.terms.eq(current, first);
            clean = ex.cx.terms.and(clean, same);
            restores = ex.cx.terms.and(restores, same);
        }
        let [new_is_zero, current_is_zero, first_is_zero] = is_zero;
        let same = ex.cx.terms.eq(new, current);
        Ok(Change { same, clean, restores, first_is_zero, current_is_zero, new_is_zero })
    }
}

fn of_slot(ex: &mut Executor<'_>, rules: Rules, now: &State, spot: &Spot, new: TermId) -> Res<Vec<TermId>> {
    let change = Change::new(ex, now, spot, new)?;
    let terms = &mut ex.cx.terms;
    let something = terms.not(change.new_is_zero);
    if rules.fork < Fork::Istanbul {
        let creates = terms.and(change.current_is_zero, something);
        let others = terms.not(creates);
        return Ok(match rules.refunds {
            true => [vec![creates], refund::before_istanbul(terms, &change)].concat(),
            false => vec![creates, others],
        });
    }
    let Change { same, clean, first_is_zero, new_is_zero, .. } = change;
    let (changes, dirty, had) = (terms.not(same), terms.not(clean), terms.not(first_is_zero));
    let again = terms.and(changes, dirty);
    let creates = terms.and_all([changes, clean, first_is_zero]);
    let clears = terms.and_all([changes, clean, had, new_is_zero]);
    let resets = terms.and_all([changes, clean, had, something]);
    let mut options = vec![same, creates, clears, resets];
    match rules.refunds {
        true => options.extend(refund::of_dirty(terms, &change, again)),
        false => options.push(again),
    }
    Ok(options)
}
