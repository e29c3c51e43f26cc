//! `foundry.toml`, as far as it concerns compilation and where sources are.

use super::Settings;
use super::setting::{Mistake, Text, mistake};
use hornet_evm::machine::Fork;
use serde::Deserialize;
use std::collections::BTreeMap;
use toml::Spanned;

#[derive(Deserialize, Default)]
struct File {
    #[serde(default)]
    profile: BTreeMap<String, Profile>,
}

#[derive(Deserialize, Default, Clone)]
struct Profile {
    src: Option<Spanned<String>>,
    test: Option<Spanned<String>>,
    script: Option<Spanned<String>>,
    libs: Option<Spanned<Vec<String>>>,
    remappings: Option<Spanned<Vec<String>>>,
    #[serde(alias = "solc_version")]
    solc: Option<Spanned<String>>,
    optimizer: Option<Spanned<bool>>,
    optimizer_runs: Option<Spanned<u32>>,
    via_ir: Option<Spanned<bool>>,
    evm_version: Option<Spanned<String>>,
}

/// Foundry does not optimize unless it is told to, and then for this many runs.
const USUAL_RUNS: u32 = 200;

/// Reads the profile called so, on top of the default one.
pub fn read(text: &Text, profile: &str, settings: &mut Settings) -> Result<(), Mistake> {
    let file: File = toml::from_str(text.text).map_err(mistake)?;
    settings.optimizer_runs.value = None;
    for name in ["default", profile] {
        if let Some(profile) = file.profile.get(name) {
            apply(text, profile.clone(), settings)?;
        }
        if profile == "default" {
            break;
        }
    }
    Ok(())
}

fn apply(text: &Text, profile: Profile, settings: &mut Settings) -> Result<(), Mistake> {
    let folder = |folder: String| Ok(vec![folder.into()]);
    settings.targets.read(text.stated(profile.src, folder)?);
    for tests in [profile.test, profile.script] {
        if let Some((folders, _)) = text.stated(tests, folder)? {
            settings.exclude.value.extend(folders);
        }
    }
    settings.include.read(text.stated(profile.libs, |libs| Ok(libs.into_iter().map(Into::into).collect()))?);
    settings.remappings.read(text.stated(profile.remappings, Ok)?);
    settings.solc.read(text.stated(profile.solc, |version| match version.parse() {
        Ok(version) => Ok(Some(version)),
        // A path, or a range of versions: the pragmas choose.
        Err(_) => Ok(None),
    })?);
    let runs = profile.optimizer_runs.as_ref().map_or(USUAL_RUNS, |runs| *runs.get_ref());
    settings.optimizer_runs.read(text.stated(profile.optimizer, |on| Ok(on.then_some(runs)))?);
    settings.via_ir.read(text.stated(profile.via_ir, Ok)?);
    settings.evm_version.read(text.stated(profile.evm_version, |name| {
        Fork::from_name(&name).map(Some).ok_or_else(|| format!("`{name}` is not a hard fork that is known"))
    })?);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(toml: &str, profile: &str) -> Result<Settings, String> {
        let mut settings = Settings::default();
        read(&Text { name: "foundry.toml", text: toml }, profile, &mut settings).map_err(|(_, why)| why)?;
        Ok(settings)
    }

    #[test]
    fn profiles_add_to_the_default_one() {
        let text = "[profile.default]\nsrc = 'contracts'\noptimizer = true\noptimizer_runs = 7\nsolc = '0.8.20'\n\
                    [profile.ci]\nvia_ir = true\noptimizer = false\n[fmt]\nline_length = 100\n";
        let usual = settings(text, "default").unwrap();
        assert_eq!((usual.optimizer_runs.value, usual.via_ir.value), (Some(7), false));
        assert_eq!(usual.optimizer_runs.origin.to_string(), "foundry.toml:3");
        assert_eq!(usual.solc.value.map(|v| v.to_string()).as_deref(), Some("0.8.20"));
        assert_eq!(usual.targets.value, [std::path::PathBuf::from("contracts")]);
        let ci = settings(text, "ci").unwrap();
        assert_eq!((ci.optimizer_runs.value, ci.via_ir.value), (None, true));
    }

    #[test]
    fn what_is_not_said_is_as_foundry_has_it() {
        assert_eq!(settings("", "default").unwrap().optimizer_runs.value, None);
        assert!(settings("[profile.default]\nevm_version = 'mars'", "default").unwrap_err().contains("mars"));
        assert!(settings("[profile", "default").is_err());
    }
}
