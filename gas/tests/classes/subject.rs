//! How the tests write contracts.

use std::collections::BTreeMap;

use hornet_evm::machine::Fork;
use hornet_evm::measure::{self, Build, Settings};
use hornet_evm::solc::Compilers;
use hornet_frontend::source::{LoadOptions, Loader};
use hornet_frontend::{compile, lower};
use hornet_gas::classes::{Class, FunctionClasses, Measure, Method, Options, Subject, classes};
use hornet_ir::ids::ContractId;
use hornet_ir::program::Program;
use hornet_smt::solver::{self, Solver};

const FILE: &str = "t.sol";

pub struct Contract {
    pub program: Program,
    pub build: Build,
    pub id: ContractId,
}

pub fn solving() -> solver::Options {
    let z3 = Solver::find("z3", None).expect("set-up has run");
    solver::Options { solvers: vec![z3], ..solver::Options::default() }
}

impl Contract {
    /// The last contract of a source, not optimised.
    pub fn new(text: &str, fork: Fork) -> Contract {
        let mut loader = Loader::new(LoadOptions::in_memory());
        loader.add_source(FILE, text);
        let compiled =
            compile(loader.load_names([FILE]), lower::Options { complete: true, ..Default::default() });
        assert!(!compiled.has_errors(), "{:?}", compiled.diagnostics);
        let program = compiled.program.unwrap();
        let compilers = Compilers::find().expect("set-up has run");
        let sources = BTreeMap::from([(FILE.to_owned(), text.to_owned())]);
        let settings = Settings { fork, ..Settings::default() };
        let build = measure::compile(&compilers, sources, Vec::new(), &settings).unwrap();
        let id = program.contracts.iter_ids().last().expect("a contract").0;
        Contract { program, build, id }
    }

    pub fn classes(&self, method: Method) -> Vec<FunctionClasses> {
        self.measured(method, Measure::Execution)
    }

    pub fn measured(&self, method: Method, measure: Measure) -> Vec<FunctionClasses> {
        let solving = solving();
        let subject = Subject { program: &self.program, contract: self.id, build: &self.build };
        let options = Options { method, measure, ..Options::new(&solving) };
        let found = classes(&subject, &options).unwrap();
        found.iter().flat_map(|function| &function.classes).for_each(|class| self.check(class));
        found
    }

    /// Whatever is claimed, the machine says the same again.
    fn check(&self, class: &Class) {
        let witness = &class.witness;
        let again = measure::call(self.build.fork, &witness.state, witness.contract, &witness.message);
        assert_eq!((class.execution, class.total), (again.execution, again.total));
        assert_eq!(again, witness.measurement);
    }
}

pub fn of<'f>(functions: &'f [FunctionClasses], signature: &str) -> &'f FunctionClasses {
    functions.iter().find(|f| f.function == signature).unwrap_or_else(|| panic!("no `{signature}`"))
}
