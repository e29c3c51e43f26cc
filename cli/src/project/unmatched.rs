//! What `hornet.toml` says about something that is not there: a name that nothing has, a finding that is gone.

use super::{Accepted, Settings};
use crate::gas::is_called;
use crate::input::among;
use hornet_ir::diag::Diagnostic;
use hornet_ir::ids::ContractId;
use hornet_ir::program::Program;
use hornet_ir::span::{FileId, Span};
use toml::Spanned;

/// What a run has looked at.
pub struct Seen<'a> {
    pub program: &'a Program,
    /// All the sources of the project, so that a name which is not among them is a slip.
    pub whole: bool,
    /// `hornet.toml`.
    pub file: FileId,
}

impl Seen<'_> {
    /// Contracts with settings of their own that nobody has written, and acceptances of what cannot be found.
    pub fn strange_names(&self, settings: &Settings) -> Vec<Diagnostic> {
        let unknown = |name: &&Spanned<String>| self.named(name).is_empty() && self.whole;
        let overridden = settings.overridden.iter().filter(unknown);
        let accepted = settings.accepted.iter().filter_map(|accepted| self.strange_name(accepted));
        overridden.map(|name| self.no_contract(name)).chain(accepted).collect()
    }

    /// Acceptances that `is_judged` says are about what was looked at, and that cover nothing.
    pub fn stale(
        &self,
        settings: &Settings,
        is_judged: impl Fn(&Accepted) -> bool,
        covers_any: impl Fn(&Accepted) -> bool,
    ) -> Vec<Diagnostic> {
        let is_stale = |a: &&Accepted| is_judged(a) && !covers_any(a) && self.strange_name(a).is_none();
        let warning = |accepted: &Accepted| {
            let place = accepted.kind.as_ref().unwrap_or(&accepted.reason);
            self.warning(place, "this accepts nothing any more: there is no such finding".to_owned())
        };
        settings.accepted.iter().filter(is_stale).map(warning).collect()
    }

    fn strange_name(&self, accepted: &Accepted) -> Option<Diagnostic> {
        let owners = match &accepted.contract {
            Some(name) => match self.named(name) {
                none if none.is_empty() => return self.whole.then(|| self.no_contract(name)),
                owners => owners,
            },
            None if self.whole => self.program.contracts.ids().collect(),
            None => return None,
        };
        let function = accepted.function.as_ref()?;
        if owners.iter().any(|id| has_function(self.program, *id, function.get_ref())) {
            return None;
        }
        let who = accepted
            .contract
            .as_ref()
            .map_or("no contract here".to_owned(), |c| format!("`{}`", c.get_ref()));
        let has = if accepted.contract.is_some() { "has no" } else { "has a" };
        Some(self.warning(function, format!("{who} {has} function `{}`", function.get_ref())))
    }

    fn named(&self, name: &Spanned<String>) -> Vec<ContractId> {
        let contracts = self.program.contracts.iter_ids();
        contracts.filter(|(_, contract)| contract.name == *name.get_ref()).map(|(id, _)| id).collect()
    }

    fn no_contract(&self, name: &Spanned<String>) -> Diagnostic {
        let names: Vec<&str> = self.program.contracts.iter().map(|c| c.name.as_str()).collect();
        self.warning(name, format!("no contract is called `{}`{}", name.get_ref(), among(&names)))
    }

    fn warning(&self, place: &Spanned<String>, message: String) -> Diagnostic {
        let range = place.span();
        Diagnostic::warning(Span::new(self.file, range.start, range.end), message)
    }
}

/// By its name or its signature, whoever can call it.
fn has_function(program: &Program, contract: ContractId, name: &str) -> bool {
    let code = &program.contracts[contract];
    // As reports call what has no name in the source: `[constructor]`, `receive()`.
    let is_nameless = name.starts_with('[') || is_called("receive()", name) || is_called("fallback()", name);
    let procs = program.procs.iter().filter(|proc| proc.contract == Some(contract));
    let infos = procs.filter_map(|proc| proc.function.as_ref());
    let mut known = infos.flat_map(|info| [Some(info.name.as_str()), info.signature.as_deref()]).flatten();
    is_nameless
        || code.entries.iter().any(|entry| is_called(&entry.signature, name))
        || known.any(|known| is_called(known, name))
}
