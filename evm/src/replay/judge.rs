//! Which check of the program a mishap of the machine is the failure of.

use std::collections::BTreeSet;

use hornet_ir::program::{Obligation, ObligationKind, Program};
use hornet_ir::span::Span;
use hornet_ir::trace::Failure;

use super::recorder::{Event, Mishap};
use super::spans::Spans;

pub(super) struct Judge<'a> {
    pub program: &'a Program,
    pub spans: &'a Spans,
    /// Assertions that cannot fail in the code that runs.
    pub neutralised: &'a BTreeSet<Span>,
}

/// What a mishap says about a failure that is expected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Finding {
    /// It is that failure, seen at its place.
    Itself,
    /// It is that failure: the program can fail in this way at one place only.
    OnlyCandidate,
    /// It may be that failure: the compiler does not say where code comes from.
    Perhaps,
    /// An assertion that is not meant.
    OtherAssertion(Span),
    /// Something else.
    Unrelated,
}

impl Judge<'_> {
    pub fn find(&self, event: &Event, failure: &Failure) -> Finding {
        if event.mishap == Mishap::Wrapped {
            return Finding::Itself;
        }
        let kinds = kinds(&event.mishap);
        let Some(place) = &event.place else { return self.without_place(kinds, event, failure) };
        let blamed = self.spans.span(place).and_then(|span| self.blamed(kinds, span, event.passed_on));
        match blamed {
            Some(span) if span == failure.span && kinds.contains(&failure.kind) => Finding::Itself,
            Some(span) if self.is_assertion(span) && kinds.contains(&ObligationKind::Assertion) => {
                Finding::OtherAssertion(span)
            }
            _ => Finding::Unrelated,
        }
    }

    fn without_place(&self, kinds: &[ObligationKind], event: &Event, failure: &Failure) -> Finding {
        if !kinds.contains(&failure.kind) || event.passed_on {
            return Finding::Unrelated;
        }
        let places: BTreeSet<Span> = self.spans_of(kinds).collect();
        if places.len() == 1 { Finding::OnlyCandidate } else { Finding::Perhaps }
    }

    /// The place of the check that code from `span` belongs to: exactly that, or what covers it best. A payload that may
    /// come from elsewhere counts only with an exact place.
    fn blamed(&self, kinds: &[ObligationKind], span: Span, passed_on: bool) -> Option<Span> {
        if self.spans_of(kinds).any(|s| s == span) {
            return Some(span);
        }
        if passed_on {
            return None;
        }
        let common = |s: &Span| u64::from(s.end.min(span.end).saturating_sub(s.start.max(span.start)));
        let near = self.spans_of(kinds).filter(|s| s.file == span.file && common(s) > 0);
        // The quotient of what is common and what is covered by either, in parts of a million.
        near.max_by_key(|s| {
            let covered = u64::from(s.end.max(span.end) - s.start.min(span.start));
            common(s) * 1_000_000 / covered
        })
    }

    fn spans_of(&self, kinds: &[ObligationKind]) -> impl Iterator<Item = Span> {
        let can_fail =
            |o: &&Obligation| o.kind != ObligationKind::Assertion || !self.neutralised.contains(&o.span);
        self.program.obligations.iter().filter(can_fail).filter(|o| kinds.contains(&o.kind)).map(|o| o.span)
    }

    fn is_assertion(&self, span: Span) -> bool {
        self.assertions().any(|s| s == span)
    }

    /// Those that can fail.
    pub fn assertions(&self) -> impl Iterator<Item = Span> {
        self.spans_of(&[ObligationKind::Assertion])
    }
}

/// What can fail in this way.
fn kinds(mishap: &Mishap) -> &'static [ObligationKind] {
    match mishap {
        Mishap::Revert(payload) => kinds_of_payload(payload),
        Mishap::Invalid => KINDS_OF_INVALID,
        Mishap::ShortOfEther => &[ObligationKind::InsufficientBalance],
        Mishap::Wrapped => &[ObligationKind::Overflow, ObligationKind::Underflow],
    }
}

/// What failed if code reverts with this payload.
pub fn kinds_of_payload(payload: &[u8]) -> &'static [ObligationKind] {
    match panic_code(payload) {
        Some(0x01) => &[ObligationKind::Assertion],
        Some(0x11) => &[ObligationKind::Overflow, ObligationKind::Underflow],
        Some(0x12) => &[ObligationKind::DivisionByZero],
        Some(0x21) => &[ObligationKind::EnumConversion],
        Some(0x31) => &[ObligationKind::EmptyPop],
        Some(0x32) => &[ObligationKind::OutOfBounds],
        _ => &[],
    }
}

/// What failed if code before 0.8 reaches the invalid instruction.
pub const KINDS_OF_INVALID: &[ObligationKind] = &[
    ObligationKind::Assertion,
    ObligationKind::DivisionByZero,
    ObligationKind::OutOfBounds,
    ObligationKind::EmptyPop,
    ObligationKind::EnumConversion,
];

/// The code, if this is the payload of a panic.
pub(super) fn panic_code(payload: &[u8]) -> Option<u8> {
    let code = payload.strip_prefix(&[0x4e, 0x48, 0x7b, 0x71])?;
    match code {
        [zeros @ .., code] if zeros.len() == 31 && zeros.iter().all(|b| *b == 0) => Some(*code),
        _ => None,
    }
}
