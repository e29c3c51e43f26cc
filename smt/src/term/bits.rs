//! Bit-vectors.

use super::{Op, TermId, Terms};

impl Terms {
    pub(super) fn rebuild_bits(&mut self, _op: &Op, _args: &[TermId]) -> Option<TermId> {
        None
    }
}
