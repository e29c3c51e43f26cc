//! A random contract: structs, state, internal helpers, public functions.

use super::scope::{Place, Scope};
use super::tree::{Contract, Function, Stmt};
use super::types::{Scalar, Ty};

pub struct Generator<'r> {
    pub rng: &'r mut fastrand::Rng,
    pub structs: Vec<Vec<Ty>>,
    pub scope: Scope,
    /// Internal functions that may be called: name, result, parameters.
    pub helpers: Vec<(String, Scalar, Vec<Scalar>)>,
    /// Results of the function at hand.
    pub returns: Vec<Scalar>,
    /// Inside `unchecked`, which does not nest.
    pub unchecked: bool,
    /// Whether expressions may assign.
    pub effects: bool,
}

/// The contract of a seed.
pub fn contract(name: &str, seed: u64) -> Contract {
    let mut rng = fastrand::Rng::with_seed(seed);
    let effects = rng.u8(0..4) == 0;
    let mut generator = Generator {
        rng: &mut rng,
        structs: Vec::new(),
        scope: Scope::default(),
        helpers: Vec::new(),
        returns: Vec::new(),
        unchecked: false,
        effects,
    };
    generator.contract(name)
}

impl Generator<'_> {
    fn contract(&mut self, name: &str) -> Contract {
        for i in 0..self.rng.usize(1..3) {
            let fields = (0..self.rng.u8(1..5)).map(|_| Ty::random(self.rng, 1, i)).collect();
            self.structs.push(fields);
        }
        let state = self.state();
        let globals = self.scope.vars.len();
        let mut functions = Vec::new();
        for i in 0..self.rng.usize(0..3) {
            functions.push(self.helper(i));
            self.scope.leave(globals);
        }
        for i in 0..self.rng.usize(2..5) {
            functions.push(self.public_function(i));
            self.scope.leave(globals);
        }
        Contract { name: name.to_owned(), structs: self.structs.clone(), state, functions }
    }

    fn state(&mut self) -> Vec<(Ty, String)> {
        let mut state = Vec::new();
        for i in 0..self.rng.u8(3..9) {
            let structs = self.structs.len();
            let mut ty = Ty::random(self.rng, 2, structs);
            if self.rng.u8(0..4) == 0 {
                ty = Ty::Mapping(Scalar::random(self.rng), Box::new(ty));
            }
            let name = format!("s{i}");
            let place = Place::Storage;
            self.scope.add(name.clone(), ty.clone(), place, true);
            state.push((ty, name));
        }
        state
    }

    fn helper(&mut self, index: usize) -> Function {
        let params: Vec<Scalar> = (0..self.rng.u8(0..3)).map(|_| Scalar::random(self.rng)).collect();
        let result = Scalar::random(self.rng);
        let name = format!("h{index}");
        let mut declared = Vec::new();
        for (i, ty) in params.iter().enumerate() {
            self.scope.add(format!("a{i}"), Ty::Scalar(*ty), Place::Stack, true);
            declared.push((Ty::Scalar(*ty), "", format!("a{i}")));
        }
        let function = self.function(name.clone(), declared, vec![result], false);
        self.helpers.push((name, result, params));
        function
    }

    fn public_function(&mut self, index: usize) -> Function {
        let mut params = Vec::new();
        for i in 0..self.rng.u8(0..4) {
            let structs = self.structs.len();
            let ty = Ty::random(self.rng, 2, structs);
            let (loc, place) = match (&ty, self.rng.bool()) {
                (Ty::Scalar(_), _) => ("", Place::Stack),
                (_, true) => ("memory", Place::Memory),
                (_, false) => ("calldata", Place::Calldata),
            };
            let name = format!("a{i}");
            self.scope.add(name.clone(), ty.clone(), place, true);
            params.push((ty, loc, name));
        }
        let returns = (0..self.rng.u8(1..3)).map(|_| Scalar::random(self.rng)).collect();
        self.function(format!("f{index}"), params, returns, true)
    }

    fn function(
        &mut self,
        name: String,
        params: Vec<(Ty, &'static str, String)>,
        returns: Vec<Scalar>,
        public: bool,
    ) -> Function {
        self.returns = returns.clone();
        for (i, ty) in returns.iter().enumerate() {
            self.scope.add(format!("r{i}"), Ty::Scalar(*ty), Place::Stack, true);
        }
        let count = self.rng.u8(1..7);
        let body: Vec<Stmt> = (0..count).map(|_| self.stmt(2)).collect();
        Function { name, params, returns, body, public }
    }
}
