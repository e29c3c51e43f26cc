//! Which options somebody typed, as opposed to those that have their defaults.

use clap::ArgMatches;
use clap::parser::ValueSource;
use std::collections::HashSet;

#[derive(Default)]
pub struct Given(HashSet<String>);

impl Given {
    /// Of the subcommand.
    pub fn of(matches: &ArgMatches) -> Given {
        let Some((_, matches)) = matches.subcommand() else { return Given::default() };
        let typed = |id: &&str| matches.value_source(id) == Some(ValueSource::CommandLine);
        Given(matches.ids().map(|id| id.as_str()).filter(typed).map(str::to_owned).collect())
    }

    pub fn has(&self, id: &str) -> bool {
        self.0.contains(id)
    }
}
