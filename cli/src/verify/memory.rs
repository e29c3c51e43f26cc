//! What earlier runs found out. A run on the same sources with the same settings has the same answers; where something
//! has changed, contracts that it does not reach still do, and the questions to solvers that are still the same.

use super::board;
use super::solvers::Solvers;
use super::strategy::Answers;
use crate::args::{ExternalCalls, VerifyArgs};
use crate::input::Loaded;
use hornet_evm::solc::Compilers;
use hornet_frontend::version::Version;
use hornet_ir::ids::ContractId;
use hornet_ir::program::{Contract, Program};
use hornet_ir::span::FileId;
use hornet_smt::store::Store;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

/// Set to anything, it does what `--no-cache` does.
const SWITCHED_OFF: &str = "HORNET_NO_CACHE";

/// What stands before the question of a whole run, and of a contract.
const RUN: &[u8] = b"run";
const CONTRACT: &[u8] = b"contract";

pub struct Memory {
    store: Store,
    /// What this run asks, unless it is to leave files behind beside its answers.
    question: Option<String>,
}

impl Memory {
    /// `None` if nothing is to be remembered.
    pub fn of(args: &VerifyArgs, loaded: &Loaded, solvers: &Solvers) -> Option<Memory> {
        let store = store(args, solvers.programs())?;
        let leaves_files = args.output.test_out.is_some()
            || args.output.certificate.is_some()
            || args.solver.dump_smt.is_some();
        Some(Memory { store, question: (!leaves_files).then(|| question(args, loaded)) })
    }

    /// For questions to solvers.
    pub fn store(&self) -> Store {
        self.store.clone()
    }

    /// What a run like this found out.
    pub fn recall(&self) -> Option<Answers> {
        let kept = self.store.get(&[RUN, self.question.as_ref()?.as_bytes()])?;
        serde_json::from_slice(&kept).ok()
    }

    /// What is asked about the open checks of a contract, which are `about`: its own text and that of all files that are
    /// compiled with it. Contracts of other files play no part, unless they are believed.
    pub fn contract(
        &self,
        args: &VerifyArgs,
        loaded: &Loaded,
        contract: ContractId,
        about: &str,
    ) -> Option<String> {
        self.question.as_ref()?;
        let Contract { name, .. } = &loaded.program.contracts[contract];
        let unit = &loaded.units[loaded.unit_of(contract)?];
        let believes = args.effort(name).ext_calls == ExternalCalls::Trusted;
        let told = |file: &FileId| believes || unit.contains(file);
        let sources: Vec<(FileId, Option<&Version>, &str, &str)> = loaded
            .sources
            .files()
            .filter(|(file, _)| told(file))
            .map(|(id, file)| (id, loaded.languages.get(&id), file.name.as_str(), file.text.as_str()))
            .collect();
        // Of what is imported, claims are not verified here and nobody relies on them.
        let asked: Vec<&String> =
            loaded.roots.iter().filter(|root| sources.iter().any(|(_, _, name, _)| name == root)).collect();
        let Program { modifies_checked, events_checked, presumed, .. } = &loaded.program;
        let everywhere = (modifies_checked, events_checked, presumed);
        Some(format!("{:?}", (name, settings(args, loaded), about, asked, sources, everywhere)))
    }

    pub fn recall_contract(&self, question: &str) -> Option<Vec<board::Result>> {
        let kept = self.store.get(&[CONTRACT, question.as_bytes()])?;
        serde_json::from_slice(&kept).ok()
    }

    /// Keeps what engines have found out about a contract, if they all had their time.
    pub fn keep_contract(&self, question: &str, results: &[board::Result]) {
        let broken = results.iter().flat_map(|result| &result.attempts).any(|attempt| attempt.broken);
        if let (false, Ok(kept)) = (broken, serde_json::to_vec(results)) {
            self.store.put(&[CONTRACT, question.as_bytes()], &kept);
        }
    }

    /// Keeps what a run has found out. An engine that went wrong may do better next time.
    pub fn keep(&self, answers: &Answers) {
        let broken = answers.evidence.iter().flat_map(|e| &e.attempts).any(|attempt| attempt.broken);
        if let (Some(question), false, Ok(kept)) = (&self.question, broken, serde_json::to_vec(answers)) {
            self.store.put(&[RUN, question.as_bytes()], &kept);
        }
        self.store.tidy();
    }
}

/// Answers depend on this program and on the solvers, as they are now.
fn store(args: &VerifyArgs, solvers: Vec<&Path>) -> Option<Store> {
    if args.solver.no_cache || std::env::var_os(SWITCHED_OFF).is_some() {
        return None;
    }
    let folder = match std::env::var_os("HORNET_CACHE") {
        Some(folder) => PathBuf::from(folder),
        None => Path::new(&std::env::var_os("HOME")?).join(".cache/hornet"),
    };
    let own = std::env::current_exe().ok()?;
    let programs = std::iter::once(own.as_path()).chain(solvers);
    let identities = programs.map(identity).collect::<Option<Vec<String>>>()?;
    // The linked solver is a file of its own, which may be replaced as well.
    let version =
        format!("{} {} {}", env!("CARGO_PKG_VERSION"), hornet_smt::z3_version(), identities.join(" "));
    Some(Store::new(folder.join("answers"), version))
}

/// A program that is replaced is another one.
fn identity(program: &Path) -> Option<String> {
    let about = std::fs::metadata(program).ok()?;
    let changed = about.modified().ok()?.duration_since(UNIX_EPOCH).ok()?.as_nanos();
    Some(format!("{}:{}:{changed}", program.file_name().unwrap_or(OsStr::new("")).display(), about.len()))
}

/// Everything that the answers depend on, beside the programs that give them.
fn question(args: &VerifyArgs, loaded: &Loaded) -> String {
    let sources: Vec<(&str, &str)> =
        loaded.sources.files().map(|(_, file)| (file.name.as_str(), file.text.as_str())).collect();
    format!("{:?}", (settings(args, loaded), &loaded.roots, sources))
}

/// What the command line and the machine have to do with it.
fn settings(args: &VerifyArgs, loaded: &Loaded) -> String {
    let VerifyArgs { contracts, functions, without, engine, solver, imports, overrides, solc, .. } = args;
    let compilers: Vec<String> = match Compilers::find() {
        Ok(found) => found.versions().iter().map(|version| version.to_string()).collect(),
        Err(_) => Vec::new(),
    };
    let compiler = std::env::var_os("HORNET_SOLC");
    let compiled = (&loaded.remappings, loaded.via_ir, compiler, solc, compilers);
    format!("{:?}", (contracts, functions, without, engine, overrides, solver, imports, compiled))
}
