//! How the tests write contracts and traces.

use std::sync::{Arc, OnceLock};

use hornet_evm::replay::{Executed, Replay, Replayer};
use hornet_evm::solc::Compilers;
use hornet_frontend::source::{LoadOptions, Loader};
use hornet_frontend::{compile, lower};
use hornet_ir::U256;
use hornet_ir::ids::{ContractId, ObligationId};
use hornet_ir::interp::value::Tree;
use hornet_ir::program::{ObligationKind, Program};
use hornet_ir::span::{SourceMap, Span};
use hornet_ir::trace::{Action, Failure, Outside, Step, Trace};

pub const FILE: &str = "t.sol";
pub const THIS: u64 = 0xc0de_0001;
pub const ALICE: u64 = 0xa11c_e001;
pub const MALLORY: u64 = 0xbad0_0001;
pub const HELPER: u64 = 0xbad0_0002;

pub struct Subject {
    pub program: &'static Program,
    pub sources: &'static SourceMap,
    text: String,
    replayer: Replayer<'static>,
}

pub fn compilers() -> Arc<Compilers> {
    static COMPILERS: OnceLock<Arc<Compilers>> = OnceLock::new();
    COMPILERS.get_or_init(|| Arc::new(Compilers::find().expect("set-up has run"))).clone()
}

pub fn number(n: u64) -> Tree {
    Tree::Word(U256::from(n))
}

impl Subject {
    pub fn new(text: &str) -> Subject {
        let mut loader = Loader::new(LoadOptions::in_memory());
        loader.add_source(FILE, text);
        let compiled =
            compile(loader.load_names([FILE]), lower::Options { complete: true, ..Default::default() });
        assert!(!compiled.has_errors(), "{:?}", compiled.diagnostics);
        // Tests end soon.
        let program: &'static Program = Box::leak(Box::new(compiled.program.unwrap()));
        let sources: &'static SourceMap = Box::leak(Box::new(compiled.sources));
        let replayer = Replayer::new(program, sources, Vec::new(), vec![compilers()]);
        Subject { program, sources, text: text.to_owned(), replayer }
    }

    pub fn contract(&self, name: &str) -> ContractId {
        self.program.contracts.iter_ids().find(|(_, c)| c.name == name).expect("a contract of this name").0
    }

    /// Where a piece of text is; it must be there once.
    pub fn span(&self, snippet: &str) -> Span {
        let mut found = self.text.match_indices(snippet);
        let (start, _) = found.next().unwrap_or_else(|| panic!("no `{snippet}`"));
        assert!(found.next().is_none(), "`{snippet}` is there more than once");
        let file = self.sources.files().next().expect("a file").0;
        Span::new(file, start, start + snippet.len())
    }

    pub fn step(&self, contract: &str, function: &str, args: &[Tree]) -> Step {
        let entries = &self.program.contracts[self.contract(contract)].entries;
        let entry = entries.iter().position(|e| e.name == function).expect("a function of this name");
        step(Action::Call { entry, args: args.to_vec() })
    }

    /// A failure at a piece of text; the program must have a check of this kind there.
    pub fn failure(&self, kind: ObligationKind, snippet: &str) -> Failure {
        let span = self.span(snippet);
        let known = self.program.obligations.iter().any(|o| o.kind == kind && o.span == span);
        assert!(known, "no {kind:?} at `{snippet}`");
        Failure { kind, span, clause: None }
    }

    pub fn clause(&self, kind: ObligationKind) -> ObligationId {
        let mut found = self.program.obligations.iter_ids().filter(|(_, o)| o.kind == kind);
        let id = found.next().expect("an annotation of this kind").0;
        assert!(found.next().is_none(), "more than one annotation of this kind");
        id
    }

    pub fn trace(&self, contract: &str, steps: Vec<Step>, failure: Failure) -> Trace {
        Trace {
            contract: self.contract(contract),
            this: U256::from(THIS),
            balances: Vec::new(),
            steps,
            failure,
        }
    }

    pub fn replay(&self, trace: &Trace) -> Replay {
        self.replayer.replay(trace)
    }

    pub fn confirmed(&self, trace: &Trace) -> Executed {
        match self.replay(trace) {
            Replay::Confirmed(executed) => executed,
            other => panic!("not confirmed: {other:?}"),
        }
    }

    /// What happens instead.
    pub fn disagrees(&self, trace: &Trace) -> String {
        match self.replay(trace) {
            Replay::Disagrees { what, .. } => what,
            other => panic!("does not disagree: {other:?}"),
        }
    }
}

pub fn step(action: Action) -> Step {
    Step {
        whose: None,
        action,
        caller: U256::from(ALICE),
        origin: U256::from(ALICE),
        value: U256::ZERO,
        environment: Vec::new(),
        outside: Vec::new(),
        starved: None,
    }
}

pub fn deploy(args: &[Tree]) -> Step {
    step(Action::Deploy { args: args.to_vec() })
}

pub trait StepExt {
    fn from(self, caller: u64) -> Step;
    fn with(self, value: u64) -> Step;
    fn then(self, outside: Outside) -> Step;
}

impl StepExt for Step {
    fn from(self, caller: u64) -> Step {
        Step { caller: U256::from(caller), ..self }
    }

    fn with(self, value: u64) -> Step {
        Step { value: U256::from(value), ..self }
    }

    fn then(mut self, outside: Outside) -> Step {
        self.outside.push(outside);
        self
    }
}

/// Somebody who is called, makes these calls and returns these words.
pub fn outside(target: u64, reenters: Vec<Step>, returns: &[u64]) -> Outside {
    Outside {
        span: None,
        target: U256::from(target),
        value: U256::ZERO,
        succeeds: true,
        returns: returns.iter().flat_map(|n| U256::from(*n).to_be_bytes::<32>()).collect(),
        reenters,
        writes: Default::default(),
    }
}
