//! Compiling with the Solidity compilers that are installed, or else with the one that is built in.

mod built_in;
mod command;
mod output;
mod places;
mod program;
mod server;

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;

use serde_json::{Map, Value, json};

use crate::compiler::{Arithmetic, CompileError, Compiled, CompiledContract, Compiler, Request};
use crate::machine::Fork;
use crate::pragma::{self, Version};
pub use built_in::BuiltIn;
use built_in::Way;
use command::Stated;
pub use command::{INSIDE, how_to_install, is_stated};
pub use output::{Contract, Message, Output};
use server::Server;

/// solc could not be run, or did not answer. What it says about the source is in [`Output::messages`].
#[derive(Clone, Debug)]
pub struct SolcError(String);

impl SolcError {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        SolcError(message.into())
    }
}

impl fmt::Display for SolcError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for SolcError {}

#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Such as `cancun`; the compiler's own default when absent.
    pub evm_version: Option<String>,
    /// Optimiser runs; not optimised when absent.
    pub optimizer_runs: Option<u32>,
    pub via_ir: bool,
    /// `default`, `strip`, `debug` or `verboseDebug`.
    pub revert_strings: Option<String>,
    pub remappings: Vec<String>,
    /// Ask for the syntax tree.
    pub ast: bool,
    /// Ask only for what analysis gives (syntax tree, errors), not for code.
    pub analysis_only: bool,
    /// Further settings, as in standard JSON; what is said above wins.
    pub further: Map<String, Value>,
}

/// One compilation: sources by the name that imports use.
#[derive(Clone, Debug, Default)]
pub struct Input {
    pub sources: BTreeMap<String, String>,
    pub settings: Settings,
    /// Chosen by the pragmas when absent.
    pub version: Option<Version>,
}

/// The first compiler that makes code by way of Yul as later ones do.
const FIRST_VIA_IR: Version = Version { major: 0, minor: 8, patch: 13 };

/// A part of what set-up fetched: beside the checkout this program was built from, or in the cache.
pub fn toolchain_folder(part: &str) -> Option<PathBuf> {
    let candidates = [
        option_env!("HORNET_TOOLCHAIN").map(PathBuf::from),
        std::env::var_os("HORNET_CACHE").map(PathBuf::from),
        std::env::var_os("HOME").map(|home| Path::new(&home).join(".cache/hornet")),
    ];
    candidates.into_iter().flatten().map(|folder| folder.join(part)).find(|folder| folder.is_dir())
}

/// The installed compilers and their living processes. Share one per program.
pub struct Compilers {
    modules: PathBuf,
    /// Newest first.
    versions: Vec<Version>,
    /// Those that are programs of their own.
    programs: HashMap<Version, PathBuf>,
    /// Used wherever the pragmas admit it.
    preferred: Option<Version>,
    /// For sources that nothing installed fits, and for small ones in place of the same compiler in node.
    built_in: Option<BuiltIn>,
    idle: Mutex<HashMap<(Version, Way), Vec<Server>>>,
    /// The newest rules that each compiler knows, once somebody asked.
    targets: Mutex<HashMap<Version, Option<Fork>>>,
    limit: Duration,
}

impl Compilers {
    /// The one that `HORNET_SOLC` names, which is preferred, those that are installed, and the one that is built in.
    pub fn find() -> Result<Compilers, SolcError> {
        let found = Compilers::find_installed();
        let mut all = match command::stated() {
            None => found?,
            Some(stated) => found.unwrap_or_else(|_| Compilers::none()).and_stated(&stated)?,
        };
        all.built_in = BuiltIn::offered().filter(|built_in| !all.is_program(built_in.version)).cloned();
        if all.versions.is_empty() && all.built_in.is_none() {
            let helps = "run `scripts/setup.sh`, or give the path of one";
            return Err(SolcError::new(format!("no Solidity compiler is installed: {helps}")));
        }
        match all.preferred {
            Some(version) => all.installed(version).map_err(of_environment).map(|_| all),
            None => Ok(all),
        }
    }

    fn and_stated(mut self, stated: &Stated) -> Result<Compilers, SolcError> {
        self.preferred = Some(match stated {
            Stated::Program(path) => self.add_program(path).map_err(of_environment)?,
            Stated::Version(version) => *version,
        });
        Ok(self)
    }

    /// The version is used wherever it is there and the pragmas admit it, unless `HORNET_SOLC` names another one.
    pub fn preferring(self, version: Option<Version>) -> Compilers {
        Compilers { preferred: self.preferred.or(version), ..self }
    }

    /// Looks where `HORNET_SOLC_DIR` says and nowhere else; without it beside the checkout this program was built from,
    /// in the cache, and where other tools put compilers.
    fn find_installed() -> Result<Compilers, SolcError> {
        if let Some(stated) = std::env::var_os("HORNET_SOLC_DIR") {
            return Compilers::in_dir(Path::new(&stated));
        }
        let runs = command::on_path("node").is_some();
        let installed =
            toolchain_folder("solc").filter(|_| runs).and_then(|dir| Compilers::in_dir(&dir).ok());
        let mut found = installed.unwrap_or_else(Compilers::none);
        for (version, path) in program::installed() {
            found.add(version, path);
        }
        if found.versions.is_empty()
            && let Some(path) = command::on_path("solc")
        {
            return found.and_program(&path);
        }
        Ok(found)
    }

    /// With a program that may not run, if there is anything else.
    fn and_program(mut self, path: &Path) -> Result<Compilers, SolcError> {
        let added = self.add_program(path);
        let others = !self.versions.is_empty() || BuiltIn::offered().is_some();
        if others { Ok(self) } else { added.map(|_| self) }
    }

    fn none() -> Compilers {
        Compilers {
            modules: PathBuf::new(),
            versions: Vec::new(),
            programs: HashMap::new(),
            preferred: None,
            built_in: None,
            idle: Mutex::default(),
            targets: Mutex::default(),
            limit: Duration::from_secs(120),
        }
    }

    /// A compiler that the user names, which is preferred to others of its version.
    pub fn add_program(&mut self, path: &Path) -> Result<Version, SolcError> {
        let version = program::version(path)?;
        self.versions.retain(|v| *v != version);
        self.add(version, path.to_owned());
        Ok(version)
    }

    fn add(&mut self, version: Version, path: PathBuf) {
        if !self.versions.contains(&version) {
            self.programs.insert(version, path);
            self.versions.push(version);
            self.versions.sort_unstable_by(|a, b| b.cmp(a));
        }
    }

    /// Only compilers that somebody names.
    pub fn of_program(path: &Path) -> Result<(Compilers, Version), SolcError> {
        let mut compilers = Compilers::none();
        let version = compilers.add_program(path)?;
        Ok((compilers, version))
    }

    /// The compilers in a folder that holds `node_modules/solc-<version>`.
    pub fn in_dir(dir: &Path) -> Result<Compilers, SolcError> {
        let modules = dir.join("node_modules");
        let entries = std::fs::read_dir(&modules)
            .map_err(|e| SolcError::new(format!("cannot read {}: {e}", modules.display())))?;
        let mut versions: Vec<Version> = entries
            .flatten()
            .filter_map(|entry| entry.file_name().to_str()?.strip_prefix("solc-")?.parse().ok())
            .collect();
        versions.sort_unstable_by(|a, b| b.cmp(a));
        if versions.is_empty() {
            return Err(SolcError::new(format!("no solc in {}", modules.display())));
        }
        Ok(Compilers { modules, versions, ..Compilers::none() })
    }

    /// Those that are installed, newest first.
    pub fn versions(&self) -> &[Version] {
        &self.versions
    }

    /// The version to use for sources with these pragmas: the preferred one, or the newest of those installed, if one fits.
    pub fn choose<'a>(&self, sources: impl IntoIterator<Item = &'a str>) -> Result<Version, SolcError> {
        Ok(self.fitting(sources)?[0])
    }

    /// The versions that all pragmas of all sources admit, the preferred one and then newest first, then the one that is built in; at least one.
    pub fn fitting<'a>(&self, sources: impl IntoIterator<Item = &'a str>) -> Result<Vec<Version>, SolcError> {
        let mut ranges = Vec::new();
        for source in sources {
            for range in pragma::ranges(source) {
                ranges.push(range.map_err(SolcError::new)?);
            }
        }
        let fits = |v: &Version| ranges.iter().all(|range| range.matches(*v));
        let mut versions: Vec<Version> = self.all().filter(fits).collect();
        versions.sort_by_key(|version| Some(*version) != self.preferred);
        if versions.is_empty() {
            let nor = if self.only_built_in().is_some() { ", nor the one that is built in," } else { "" };
            let why = format!("no installed compiler{nor} fits the pragmas ({})", self.names());
            return Err(SolcError::new(why));
        }
        Ok(versions)
    }

    fn all(&self) -> impl Iterator<Item = Version> {
        self.versions.iter().copied().chain(self.only_built_in())
    }

    /// The version itself, if it is there; an error that names what is, if not.
    pub fn installed(&self, version: Version) -> Result<Version, SolcError> {
        if self.all().any(|known| known == version) {
            return Ok(version);
        }
        Err(SolcError::new(format!("solc {version} is not installed ({})", self.names())))
    }

    /// `installed: 0.8.9, 0.7.6; built in: 0.8.37`
    pub fn names(&self) -> String {
        let installed: Vec<String> = self.versions.iter().map(Version::to_string).collect();
        let installed = if installed.is_empty() { "none".to_owned() } else { installed.join(", ") };
        let built_in = self.only_built_in().map(|version| format!("; built in: {version}"));
        format!("installed: {installed}{}", built_in.unwrap_or_default())
    }

    /// The newest rules that a compiler generates code for, up to those given. `None` if it cannot be told any.
    pub fn newest_target(&self, version: Version, at_most: Fork) -> Result<Option<Fork>, SolcError> {
        let known = lock(&self.targets).get(&version).copied();
        let newest = match known {
            Some(newest) => newest,
            None => {
                let newest = self.probe_targets(version)?;
                lock(&self.targets).insert(version, newest);
                newest
            }
        };
        Ok(newest.map(|newest| newest.min(at_most)))
    }

    /// Compilers refuse names that they do not know.
    fn probe_targets(&self, version: Version) -> Result<Option<Fork>, SolcError> {
        for fork in Fork::ALL.into_iter().rev() {
            let settings = Settings {
                evm_version: Some(fork.name().to_owned()),
                analysis_only: true,
                ..Settings::default()
            };
            let sources = BTreeMap::from([("a".to_owned(), "contract C {}".to_owned())]);
            if !self.compile(&Input { sources, settings, version: Some(version) })?.has_errors() {
                return Ok(Some(fork));
            }
        }
        Ok(None)
    }

    pub fn compile(&self, input: &Input) -> Result<Output, SolcError> {
        let version = match input.version {
            Some(version) => version,
            None => self.choose(input.sources.values().map(String::as_str))?,
        };
        let answer = self.ask(version, &standard_json(input, version).to_string())?;
        let answer: Value = serde_json::from_str(&answer)
            .map_err(|e| SolcError::new(format!("solc's answer is not JSON: {e}")))?;
        if let Some(crash) = answer.get("crash") {
            return Err(SolcError::new(format!("solc crashed: {crash}")));
        }
        let mut output = Output::from_json(version, &answer);
        output.built_in = self.only_built_in() == Some(version);
        Ok(output)
    }

    /// Starts the compiler in the background, so that it is ready when somebody asks it about as many bytes. Returns at
    /// once.
    pub fn warm_up(&self, version: Version, bytes: usize) -> Result<(), SolcError> {
        if self.is_program(version) {
            return Ok(());
        }
        let way = self.way(version, bytes);
        let ready = lock(&self.idle).get(&(version, way)).is_some_and(|servers| !servers.is_empty());
        if !ready {
            let server = self.start(version, way, true)?;
            lock(&self.idle).entry((version, way)).or_default().push(server);
        }
        Ok(())
    }

    fn start(&self, version: Version, way: Way, warm: bool) -> Result<Server, SolcError> {
        if let Some(built_in) = self.built_in.as_ref().filter(|_| way == Way::BuiltIn) {
            return Server::start(&mut built_in.command());
        }
        let newest = self.versions.iter().find(|v| !self.programs.contains_key(v));
        let wrapper = newest.copied().unwrap_or(version);
        Server::start(&mut server::in_node(&self.modules, version, wrapper, warm))
    }

    /// The answer to a request in standard JSON, written on one line.
    pub fn ask(&self, version: Version, input: &str) -> Result<String, SolcError> {
        if let Some(program) = self.programs.get(&version) {
            return program::compile(program, input, self.limit);
        }
        let way = self.way(version, input.len());
        let idle = lock(&self.idle).get_mut(&(version, way)).and_then(Vec::pop);
        let mut server = match idle {
            Some(server) => server,
            None => self.start(version, way, false)?,
        };
        let answer = server.ask(input, self.limit)?;
        // A crash inside the compiler leaves its heap in doubt: let that process go.
        if !answer.starts_with("{\"crash\"") {
            lock(&self.idle).entry((version, way)).or_default().push(server);
        }
        Ok(answer)
    }
}

fn of_environment(e: SolcError) -> SolcError {
    SolcError(format!("HORNET_SOLC: {e}"))
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

fn standard_json(input: &Input, version: Version) -> Value {
    let settings = &input.settings;
    let sources: Map<String, Value> =
        input.sources.iter().map(|(name, text)| (name.clone(), json!({ "content": text }))).collect();
    let mut per_contract = Vec::new();
    if !settings.analysis_only {
        per_contract.extend(["abi", "evm.bytecode", "evm.deployedBytecode", "evm.methodIdentifiers"]);
        // Older compilers refuse names they do not know.
        if (version.major, version.minor) >= (0, 5) {
            per_contract.push("storageLayout");
        }
    }
    let mut selection = Map::new();
    selection.insert("*".into(), json!(per_contract));
    if settings.ast || settings.analysis_only {
        selection.insert(String::new(), json!(["ast"]));
    }
    let mut out = Value::Object(settings.further.clone());
    out["outputSelection"] = json!({ "*": selection });
    out["remappings"] = json!(settings.remappings);
    if !out["optimizer"].is_object() {
        out["optimizer"] = json!({});
    }
    out["optimizer"]["enabled"] = json!(settings.optimizer_runs.is_some());
    out["optimizer"]["runs"] = json!(settings.optimizer_runs.unwrap_or(200));
    if let Some(evm) = &settings.evm_version {
        out["evmVersion"] = json!(evm);
    }
    if settings.via_ir {
        out["viaIR"] = json!(true);
    }
    if let Some(strings) = &settings.revert_strings {
        out["debug"] = json!({ "revertStrings": strings });
    }
    json!({ "language": "Solidity", "sources": sources, "settings": out })
}

impl Compiler for Compilers {
    fn keeps_layout(&self) -> bool {
        true
    }

    /// Older compilers that the pragmas admit are tried where newer ones refuse the code: a pragma such as `>=0.5.0`
    /// often says more than was meant.
    fn compile(&self, request: &Request) -> Result<Compiled, CompileError> {
        let problem = |e: SolcError| CompileError(e.to_string());
        let texts = || request.sources.values().map(String::as_str);
        let wraps = |v: &Version| (v.major, v.minor) < (0, 8);
        let wanted = |v: &Version| request.arithmetic.is_none_or(|a| (a == Arithmetic::Wrapping) == wraps(v));
        let versions = self.fitting(texts()).map_err(problem)?.into_iter().filter(wanted);
        let mut refused = None;
        for version in versions {
            let settings = Settings {
                ast: true,
                remappings: request.remappings.clone(),
                via_ir: request.via_ir && version >= FIRST_VIA_IR,
                ..Settings::default()
            };
            let input = Input { sources: request.sources.clone(), settings, version: Some(version) };
            let output = Compilers::compile(self, &input).map_err(problem)?;
            let error = output.errors().next().map(|error| format!("solc {version}: {}", error.text));
            if error.is_none() {
                return Ok(compiled(output));
            }
            refused = refused.or(error);
        }
        let unfit = || "no installed compiler understands arithmetic as the pragmas say".to_owned();
        Err(CompileError(refused.unwrap_or_else(unfit)))
    }
}

fn compiled(output: Output) -> Compiled {
    let compiler = output.compiler();
    let contracts = output.contracts.into_iter().map(|(key, contract)| {
        let contract = CompiledContract {
            creation: contract.code,
            runtime: contract.deployed,
            creation_places: Some(contract.code_places),
            runtime_places: Some(contract.deployed_places),
            immutables: contract.immutables,
        };
        (key, contract)
    });
    Compiled { compiler, contracts: contracts.collect() }
}
