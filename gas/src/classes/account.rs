//! What calls cost by who is called: somebody whom the transaction knows already, or an account that a payment makes.

use hornet_ir::span::Span;
use hornet_smt::term::{Sort, TermId};
use hornet_symbolic::exec::{Asked, Executor, Flow, Step};
use hornet_symbolic::{Res, Var};

/// Ether that is sent with a call.
#[derive(Clone, Copy, Debug)]
pub(super) struct Payment {
    span: Option<Span>,
    pub reach: TermId,
    pub target: TermId,
    value: TermId,
    /// There is as much as is sent.
    enough: TermId,
    /// Something is sent, and there is enough of it.
    pub pays: TermId,
    /// Nobody has used the account before.
    pub is_new: TermId,
}

impl Payment {
    /// At a place in the source.
    pub fn new(
        ex: &mut Executor<'_>,
        flow: &Flow,
        span: Option<Span>,
        (target, value): (TermId, TermId),
    ) -> Res<Payment> {
        let this = ex.this();
        let balance = ex.balance_of(flow, this)?;
        let (zero, enough) = (ex.number_like(value, 0), ex.at_most(value, balance));
        let terms = &mut ex.cx.terms;
        let something = terms.ne(value, zero);
        let pays = terms.and(something, enough);
        let is_new = terms.fresh("new", Sort::Bool);
        Ok(Payment { span, reach: flow.reach(terms), target, value, enough, pays, is_new })
    }

    /// There is nothing to send, or enough, or too little, and then the call does not take place.
    pub fn options(&self, ex: &mut Executor<'_>) -> Vec<TermId> {
        let terms = &mut ex.cx.terms;
        let fails = terms.not(self.enough);
        let moves = terms.not(self.pays);
        let nothing = terms.and(moves, self.enough);
        vec![nothing, self.pays, fails]
    }

    /// Whether this is what somebody is asked with.
    fn goes_with(&self, asked: &Asked) -> bool {
        (asked.span, asked.target, asked.value) == (self.span, self.target, Some(self.value))
    }
}

/// What it means for accounts to be new: nobody is there who could answer, hold ether or have called.
pub(super) fn settle_newcomers(ex: &mut Executor<'_>, payments: &[Payment], step: &Step) -> Res<()> {
    let asked: Vec<Asked> = step.ways.iter().flat_map(|way| way.asked.clone()).collect();
    let balances = ex.cx.initial(Var::Balances)?[0];
    for payment in payments {
        let own = asked.iter().position(|asked| payment.goes_with(asked));
        let somebody = [step.caller, step.origin];
        let mut says = somebody.map(|other| ex.cx.terms.ne(payment.target, other)).to_vec();
        let balance = ex.cx.terms.select(balances, payment.target);
        let nothing = ex.cx.word(0);
        says.push(ex.cx.terms.eq(balance, nothing));
        if ex.awareness().code {
            let sizes = ex.cx.initial(Var::CodeSizes)?[0];
            let size = ex.cx.terms.select(sizes, payment.target);
            says.push(ex.cx.terms.eq(size, nothing));
        }
        // Whom nobody was told of cannot be asked either.
        says.push(ex.cx.terms.bool(own.is_some()));
        for (at, asked) in asked.iter().enumerate() {
            says.push(answers_like_nobody(ex, payments, payment, asked, own.is_some_and(|own| at < own)));
        }
        let all = ex.cx.terms.and_all(says);
        let means = ex.cx.terms.implies(payment.is_new, all);
        ex.cx.fact(means);
    }
    Ok(())
}

/// Before the payment the account is not called at all; from then on it takes what it is sent and says nothing.
fn answers_like_nobody(
    ex: &mut Executor<'_>,
    payments: &[Payment],
    payment: &Payment,
    asked: &Asked,
    is_earlier: bool,
) -> TermId {
    let same = ex.cx.terms.eq(asked.target, payment.target);
    let concerned = ex.cx.terms.and(asked.reach, same);
    let paid = payments.iter().find(|other| other.goes_with(asked));
    let expected = paid.map_or_else(|| ex.cx.terms.bool(true), |paid| paid.enough);
    let nothing = ex.cx.word(0);
    let terms = &mut ex.cx.terms;
    let (silent, takes) = (terms.eq(asked.returned[0], nothing), terms.eq(asked.ok, expected));
    let plain = if is_earlier { terms.bool(false) } else { terms.and(silent, takes) };
    terms.implies(concerned, plain)
}
