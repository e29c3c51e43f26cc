//! Types everything in [`super::Pending`]: bodies, initialisers, arguments of modifiers and base constructors.

use super::Sema;

pub fn check(_sema: &mut Sema<'_>) {}
