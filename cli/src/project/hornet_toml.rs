//! `hornet.toml`: our own settings, which win over those of other tools.

use super::setting::{Mistake, Text, mistake};
use super::{Accepted, Settings, StatedBudget};
use crate::args::Override;
use crate::signature::canonical;
use clap::ValueEnum;
use hornet_evm::machine::Fork;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;
use toml::Spanned;

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct File {
    targets: Option<Spanned<Vec<PathBuf>>>,
    exclude: Option<Spanned<Vec<PathBuf>>>,
    #[serde(default)]
    compiler: Compiler,
    #[serde(default)]
    verify: Verify,
    #[serde(default)]
    gas: Gas,
    #[serde(default)]
    contract: BTreeMap<Spanned<String>, Contract>,
    #[serde(default)]
    accept: Vec<Accept>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Compiler {
    solc: Option<Spanned<String>>,
    optimizer: Option<Spanned<bool>>,
    optimizer_runs: Option<Spanned<u32>>,
    via_ir: Option<Spanned<bool>>,
    evm_version: Option<Spanned<String>>,
    remappings: Option<Spanned<Vec<String>>>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Verify {
    timeout: Option<Spanned<f64>>,
    total_timeout: Option<Spanned<f64>>,
    engine: Option<Spanned<String>>,
    ext_calls: Option<Spanned<String>>,
    without: Option<Spanned<Vec<String>>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Contract {
    timeout: Option<Spanned<f64>>,
    engine: Option<Spanned<String>>,
    ext_calls: Option<Spanned<String>>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Gas {
    timeout: Option<Spanned<u64>>,
    fork: Option<Spanned<String>>,
    gas_limit: Option<Spanned<u64>>,
    #[serde(default)]
    budgets: BTreeMap<String, Spanned<Budget>>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Budget {
    Number(u64),
    Formula(String),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Accept {
    contract: Option<Spanned<String>>,
    function: Option<Spanned<String>>,
    kind: Option<Spanned<String>>,
    reason: Spanned<String>,
}

pub fn read(text: &Text, settings: &mut Settings) -> Result<(), Mistake> {
    let file: File = toml::from_str(text.text).map_err(mistake)?;
    settings.targets.read(text.stated(file.targets, Ok)?);
    if let Some((folders, origin)) = text.stated(file.exclude, Ok)? {
        settings.exclude.value.extend(folders);
        settings.exclude.origin = origin;
    }
    compiler(text, file.compiler, settings)?;
    verify(text, file.verify, settings)?;
    gas(text, file.gas, settings)?;
    for (name, own) in file.contract {
        let own = Override {
            timeout: text.stated(own.timeout, seconds)?.map(|(time, _)| time),
            engine: text.stated(own.engine, |name| one_of(&name))?.map(|(engine, _)| engine),
            ext_calls: text.stated(own.ext_calls, |name| one_of(&name))?.map(|(policy, _)| policy),
        };
        settings.overrides.insert(name.get_ref().clone(), own);
        settings.overridden.push(name);
    }
    for Accept { contract, function, kind, reason } in file.accept {
        if reason.get_ref().trim().is_empty() {
            return Err((reason.span(), "why this is accepted has to be said".to_owned()));
        }
        let kind = kind.map(known_kind).transpose()?;
        let function = function.map(|name| Spanned::new(name.span(), canonical(name.get_ref())));
        settings.accepted.push(Accepted { contract, function, kind, reason });
    }
    Ok(())
}

/// Of a check, or of a remark about gas.
fn known_kind(kind: Spanned<String>) -> Result<Spanned<String>, Mistake> {
    let known: Vec<&str> = hornet_ir::text::kind_names().chain(crate::gas::kind_names()).collect();
    match known.contains(&kind.get_ref().as_str()) {
        true => Ok(kind),
        false => Err((kind.span(), format!("`{}` is none of `{}`", kind.get_ref(), known.join("`, `")))),
    }
}

fn compiler(text: &Text, table: Compiler, settings: &mut Settings) -> Result<(), Mistake> {
    settings.solc.read(text.stated(table.solc, |version| version.parse().map(Some))?);
    let usual = settings.optimizer_runs.value.unwrap_or(super::USUAL_RUNS);
    settings.optimizer_runs.read(text.stated(table.optimizer_runs, |runs| Ok(Some(runs)))?);
    let runs = settings.optimizer_runs.value.unwrap_or(usual);
    settings.optimizer_runs.read(text.stated(table.optimizer, |on| Ok(on.then_some(runs)))?);
    settings.via_ir.read(text.stated(table.via_ir, Ok)?);
    settings.evm_version.read(text.stated(table.evm_version, |name| fork(&name).map(Some))?);
    settings.remappings.read(text.stated(table.remappings, Ok)?);
    Ok(())
}

fn verify(text: &Text, table: Verify, settings: &mut Settings) -> Result<(), Mistake> {
    settings.timeout.read(text.stated(table.timeout, seconds)?);
    settings.total_timeout.read(text.stated(table.total_timeout, |time| seconds(time).map(Some))?);
    settings.engine.read(text.stated(table.engine, |name| one_of(&name))?);
    settings.ext_calls.read(text.stated(table.ext_calls, |name| one_of(&name))?);
    let kinds = |names: Vec<String>| names.iter().map(|name| one_of(name)).collect();
    settings.without.read(text.stated(table.without, kinds)?);
    Ok(())
}

fn gas(text: &Text, table: Gas, settings: &mut Settings) -> Result<(), Mistake> {
    settings.gas_timeout.read(text.stated(table.timeout, Ok)?);
    settings.fork.read(text.stated(table.fork, |name| fork(&name).map(Some))?);
    settings.gas_limit.read(text.stated(table.gas_limit, |gas| Ok(Some(gas)))?);
    for (name, budget) in table.budgets {
        let range = budget.span();
        let Some((contract, function)) = name.split_once('.') else {
            return Err((range, format!("`{name}` is not `Contract.function`")));
        };
        let (contract, function) = (contract.to_owned(), canonical(function));
        // Strings have quotes around them.
        let (text, range) = match budget.into_inner() {
            Budget::Number(gas) => (gas.to_string(), range),
            Budget::Formula(formula) => (formula, range.start + 1..range.end.saturating_sub(1)),
        };
        settings.budgets.push(StatedBudget { contract, function, text, range });
    }
    Ok(())
}

fn fork(name: &str) -> Result<Fork, String> {
    Fork::from_name(name).ok_or_else(|| format!("`{name}` is not a hard fork that is known"))
}

fn seconds(number: f64) -> Result<Duration, String> {
    match (0.001..=1e7).contains(&number) {
        true => Ok(Duration::from_secs_f64(number)),
        false => Err("between 0.001 and 10000000 seconds".to_owned()),
    }
}

/// A word of the command line.
fn one_of<T: ValueEnum>(name: &str) -> Result<T, String> {
    T::from_str(name, false).map_err(|_| {
        let known = T::value_variants().iter().filter_map(T::to_possible_value);
        let known: Vec<String> = known.map(|value| format!("`{}`", value.get_name())).collect();
        format!("`{name}` is none of {}", known.join(", "))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Engine;

    fn read_text(toml: &str) -> Result<Settings, (String, String)> {
        let mut settings = Settings::default();
        let found = read(&Text { name: "hornet.toml", text: toml }, &mut settings);
        found.map(|()| settings).map_err(|(at, why)| (toml[at].to_owned(), why))
    }

    #[test]
    fn everything_has_an_origin() {
        let settings = read_text(
            "targets = ['src']\n[verify]\ntimeout = 2.5\nengine = 'horn'\n[compiler]\noptimizer-runs = 9\n\
             [gas.budgets]\n'T.f' = 100\n'T.g(uint256)' = '2*n'\n[[accept]]\ncontract = 'T'\nreason = 'known'\n\
             [contract.T]\ntimeout = 60\nengine = 'modular'\n",
        )
        .unwrap();
        assert_eq!((settings.timeout.value.as_millis(), settings.engine.value), (2500, Engine::Horn));
        assert_eq!(settings.engine.origin.to_string(), "hornet.toml:4");
        assert_eq!(settings.optimizer_runs.value, Some(9));
        let budgets: Vec<_> =
            settings.budgets.iter().map(|b| (b.function.as_str(), b.text.as_str())).collect();
        assert_eq!(budgets, [("f", "100"), ("g(uint256)", "2*n")]);
        assert_eq!(settings.accepted[0].reason.get_ref(), "known");
        let own = settings.overrides["T"];
        assert_eq!((own.timeout, own.engine), (Some(Duration::from_secs(60)), Some(Engine::Modular)));
    }

    #[test]
    fn mistakes_have_places() {
        assert_eq!(read_text("[verify]\nengine = 'steam'").err().unwrap().0, "'steam'");
        assert!(read_text("[verify]\nengine = 'steam'").err().unwrap().1.contains("`modular`"));
        assert_eq!(read_text("[gas]\nfuel = 3").err().unwrap().0, "fuel");
        assert_eq!(read_text("[contract.T]\nengine = 'steam'").err().unwrap().0, "'steam'");
        assert_eq!(read_text("[gas.budgets]\nf = 3").err().unwrap().1, "`f` is not `Contract.function`");
        assert!(read_text("[[accept]]\nreason = ' '").is_err());
        assert_eq!(read_text("[[accept]]\nkind = 'overflw'\nreason = 'x'").err().unwrap().0, "'overflw'");
        assert!(read_text("[[accept]]\nkind = 'storage-loop'\nreason = 'x'").is_ok());
        assert!(read_text("targets = [").is_err());
        let (place, why) = read_text("[verify]\ntimeout = 'x'").err().unwrap();
        assert!(place == "'x'" && why.ends_with("expected a number of seconds"), "{why}");
        let (_, why) = read_text("[gas]\ntimeout = 'x'").err().unwrap();
        assert!(why.ends_with("expected a whole number"), "{why}");
    }
}
