//! `make storm`: random transactions on the EVM against everything that `hornet verify` proves.
//!
//! Unlike the attack on the modular engine this needs no interpreter: compiled code runs, from the deployment on, and
//! a panic at a place where Hornet says that nothing can fail is a wrong proof.

mod chain;
mod claims;
mod watch;

use crate::engine::Subject;
use anyhow::{Context, Result, ensure};
use chain::Chain;
pub use claims::Claim;
use hornet_evm::replay::neutralised;
use hornet_evm::solc::{Compilers, Input, Settings};
use hornet_ir::ids::ContractId;
use hornet_ir::program::{ObligationKind, Program};
use hornet_ir::span::Span;
use hornet_ir::text::kind_name;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;
use watch::{Codes, Functions, Seen};

pub struct Options<'o> {
    pub hornet: &'o Path,
    /// For each contract.
    pub transactions: usize,
    pub seed: u64,
    /// For the binary.
    pub arguments: &'o [String],
    /// Name the claims that no transaction came to.
    pub list: bool,
}

#[derive(Default)]
pub struct Findings {
    pub text: String,
    pub transactions: usize,
    pub proved: usize,
    /// Of these, how many some transaction came to.
    pub reached: usize,
    /// Of these, how many failed.
    pub broken: usize,
    /// Not proved, and seen to fail.
    pub rightly_not_proved: usize,
}

impl Findings {
    pub fn add(&mut self, other: &Findings) {
        self.transactions += other.transactions;
        self.proved += other.proved;
        self.reached += other.reached;
        self.broken += other.broken;
        self.rightly_not_proved += other.rightly_not_proved;
    }

    pub fn last_line(&self) -> String {
        let Findings { transactions, proved, reached, broken, rightly_not_proved, .. } = self;
        format!(
            "storm: transactions {transactions}; proved {proved}, reached {reached}, broken {broken}; \
             not proved and seen to fail {rightly_not_proved}"
        )
    }
}

/// Then everything starts anew, with another deployment.
const TRANSACTIONS_PER_CHAIN: usize = 40;

pub fn file(path: &Path, compilers: &Compilers, options: &Options<'_>) -> Result<Findings> {
    let claims = claims::ask(options.hornet, path, options.arguments)?;
    against(path, &claims, compilers, options)
}

/// Tries to break claims about a file, whoever makes them.
pub fn against(
    path: &Path,
    claims: &[Claim],
    compilers: &Compilers,
    options: &Options<'_>,
) -> Result<Findings> {
    let (name, subject) = compile(path)?;
    let functions = Functions::of(&subject.program);
    let mut storm =
        Storm { claims, entered: BTreeMap::new(), reached: BTreeSet::new(), failed: BTreeMap::new() };
    let mut findings = Findings::default();
    for sources in versions(&subject, claims) {
        let output = compilers.compile(&Input { sources, settings: Settings::default(), version: None })?;
        ensure!(!output.has_errors(), "solc refuses it");
        let codes =
            Codes::new(&subject.program, &output, &name, claims, &functions).map_err(anyhow::Error::msg)?;
        for contract in subject.program.contracts.ids().filter(|c| codes.creation(*c).is_some()) {
            findings.transactions += storm.rage(&subject.program, contract, &codes, options);
        }
    }
    storm.tell(&name, options.list, &functions, &mut findings);
    Ok(findings)
}

/// Everything that can be claimed about a file, as if it were proved: what a storm must be able to break.
pub fn boasts(path: &Path) -> Result<Vec<Claim>> {
    let (_, subject) = compile(path)?;
    Ok(claims::everything(&subject))
}

fn compile(path: &Path) -> Result<(String, Subject)> {
    let name = path.file_name().context("no file name")?.to_string_lossy().into_owned();
    let text = std::fs::read_to_string(path)?;
    let subject = Subject::compile(&name, &text, &[]).map_err(anyhow::Error::msg)?;
    Ok((name, subject))
}

/// The source as it is, and one in which assertions that are not proved do not stop runs: what is proved is claimed for
/// both.
fn versions(subject: &Subject, claims: &[Claim]) -> Vec<BTreeMap<String, String>> {
    let sources = &subject.sources;
    let original = sources.files().map(|(_, file)| (file.name.clone(), file.text.clone())).collect();
    let file = sources.files().map(|(id, _)| id).next();
    let open = claims.iter().filter(|c| !c.proved && c.kind == ObligationKind::Assertion);
    let spans: BTreeSet<Span> =
        open.filter_map(|c| Some(Span::new(file?, c.start as usize, c.end as usize))).collect();
    let without = neutralised(sources, &spans).filter(|_| !spans.is_empty());
    std::iter::once(original).chain(without).collect()
}

/// What was seen of the claims.
struct Storm<'c> {
    claims: &'c [Claim],
    /// How many transactions ran code of each function.
    entered: BTreeMap<usize, usize>,
    reached: BTreeSet<usize>,
    /// With the transactions of the first time.
    failed: BTreeMap<usize, String>,
}

impl Storm<'_> {
    /// Several chains with the same contract; the number of transactions.
    fn rage(
        &mut self,
        program: &Program,
        contract: ContractId,
        codes: &Codes<'_>,
        options: &Options<'_>,
    ) -> usize {
        let mut transactions = 0;
        for round in 0..options.transactions.div_ceil(TRANSACTIONS_PER_CHAIN) {
            let seed = options.seed.wrapping_add(round as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let mut chain = Chain::new(program, contract, codes, seed);
            let (deployed, seen) = chain.deploy();
            self.note(seen, &chain);
            for _ in 0..if deployed { TRANSACTIONS_PER_CHAIN } else { 0 } {
                transactions += 1;
                let seen = chain.step();
                self.note(seen, &chain);
            }
        }
        transactions
    }

    fn note(&mut self, seen: Vec<Seen>, chain: &Chain<'_>) {
        for what in seen {
            match what {
                Seen::Entered(function) => *self.entered.entry(function).or_default() += 1,
                Seen::Reached(claim) => {
                    self.reached.insert(claim);
                }
                Seen::Failed(claim, kinds) if self.is_to_blame(claim, kinds) => {
                    self.failed.entry(claim).or_insert_with(|| chain.story.clone());
                }
                Seen::Failed(..) => {}
            }
        }
    }

    /// The machine does not tell overflow from underflow: if one of them may happen at a place, that is what happened.
    fn is_to_blame(&self, claim: usize, kinds: &[ObligationKind]) -> bool {
        let claim = &self.claims[claim];
        let here = |c: &&Claim| (c.start, c.end) == (claim.start, claim.end) && kinds.contains(&c.kind);
        kinds.contains(&claim.kind) && !(claim.proved && self.claims.iter().filter(here).any(|c| !c.proved))
    }

    fn tell(&self, file: &str, list: bool, functions: &Functions, findings: &mut Findings) {
        for (i, claim) in self.claims.iter().enumerate() {
            let failed = self.failed.get(&i);
            let what =
                format!("{file}:{} {} {}-{}", claim.line, kind_name(claim.kind), claim.start, claim.end);
            if !claim.proved {
                findings.rightly_not_proved += usize::from(failed.is_some());
                continue;
            }
            findings.proved += 1;
            findings.reached += usize::from(self.reached.contains(&i));
            if let Some(story) = failed {
                findings.broken += 1;
                let _ = writeln!(findings.text, "BROKEN {what}\n{story}");
            } else if list {
                let ran = functions.around(claim.start, claim.end).and_then(|f| self.entered.get(&f));
                let reached = match (self.reached.contains(&i), ran) {
                    (true, _) => "holds".to_owned(),
                    (false, Some(n)) => format!("never reached, though {n} transactions ran its function:"),
                    (false, None) => "never reached, nor was its function:".to_owned(),
                };
                let _ = writeln!(findings.text, "{reached} {what}");
            }
        }
    }
}
