//! Functions of the world state and of bytes.

use crate::context::{Context, Res, WORD};
use crate::eval::{Scope, one};
use crate::state::Var;
use crate::tree::Tree;
use hornet_ir::U256;
use hornet_ir::expr::Builtin;
use hornet_ir::ids::{ExprId, TypeId};
use hornet_ir::types::Type;
use hornet_smt::term::{Sort, TermId};

impl Context<'_> {
    pub(crate) fn builtin(
        &mut self,
        scope: &Scope,
        builtin: Builtin,
        args: &[ExprId],
        ty: TypeId,
    ) -> Res<Tree> {
        match builtin {
            Builtin::Balance => self.by_address(scope, Var::Balances, args[0]),
            Builtin::CodeSize => {
                let size = self.by_address(scope, Var::CodeSizes, args[0])?;
                let address = self.scalar(scope, args[0])?;
                self.admit_code_size(address, size[0]);
                Ok(size)
            }
            Builtin::BytesLength => {
                let bytes = self.eval(scope, args[0])?;
                Ok(one(bytes[0]))
            }
            Builtin::BytesAt => {
                let (bytes, index) = (self.eval(scope, args[0])?, self.scalar(scope, args[1])?);
                Ok(one(self.terms.select(bytes[1], index)))
            }
            Builtin::BytesSlice => {
                let bytes = self.eval(scope, args[0])?;
                let (start, length) = (self.scalar(scope, args[1])?, self.scalar(scope, args[2])?);
                Ok(self.slice(&bytes, start, length))
            }
            Builtin::BytesConcat => {
                let mut parts =
                    args.iter().map(|a| self.eval(scope, *a)).collect::<Res<Vec<_>>>()?.into_iter();
                let first = parts.next().unwrap_or_else(|| self.bytes_const(&[]));
                Ok(parts.fold(first, |all, part| self.concat(&all, &part)))
            }
            Builtin::CalldataSlice => self.calldata_slice(scope, args),
            Builtin::Keccak256 | Builtin::Sha256 | Builtin::Ripemd160 => {
                let bytes = self.eval(scope, args[0])?;
                Ok(one(self.hash(builtin, &bytes, ty)))
            }
            Builtin::AddMod | Builtin::MulMod | Builtin::Byte | Builtin::SignExtend | Builtin::Clz => {
                let args = args.iter().map(|a| self.scalar(scope, *a)).collect::<Res<Vec<_>>>()?;
                Ok(one(self.word_builtin(builtin, &args)))
            }
            Builtin::MakeFnExternal | Builtin::FnAddress | Builtin::FnSelector => {
                let args = args.iter().map(|a| self.scalar(scope, *a)).collect::<Res<Vec<_>>>()?;
                Ok(one(self.function_value(builtin, &args)))
            }
            Builtin::BlockHash => {
                let block = self.scalar(scope, args[0])?;
                Ok(one(self.block_hash(scope.now, block, ty)?))
            }
            Builtin::BlobHash => {
                let blob = self.scalar(scope, args[0])?;
                Ok(one(self.blob_hash(scope.now, blob, ty)?))
            }
            // A function of its arguments that nobody can compute by reasoning.
            Builtin::EcRecover => {
                let args = args.iter().map(|a| self.scalar(scope, *a)).collect::<Res<Vec<_>>>()?;
                Ok(one(self.unknown_function("EcRecover", &args, ty)))
            }
            // Code changes when its size may: both are functions of the same state of the world. An account that never
            // had ether has no hash.
            Builtin::CodeHash => {
                let (sizes, balances) =
                    (self.get(scope.now, Var::CodeSizes)?[0], self.get(scope.now, Var::Balances)?[0]);
                let args = [sizes, balances, self.scalar(scope, args[0])?];
                Ok(one(self.unknown_function("CodeHash", &args, ty)))
            }
            Builtin::Code => {
                let args = [self.get(scope.now, Var::CodeSizes)?[0], self.scalar(scope, args[0])?];
                Ok(self.unknown_bytes_of("code", &args))
            }
            // Opaque, but a reference can be made of it again.
            Builtin::Slot => {
                let ty = self.referent(args[0])?;
                let reference = self.eval(scope, args[0])?;
                Ok(one(self.slot_of(ty, &reference)))
            }
            Builtin::SlotOffset
            | Builtin::CalldataOffset
            | Builtin::MLoad
            | Builtin::SLoad
            | Builtin::TLoad
            | Builtin::CalldataLoad
            | Builtin::MSize
            | Builtin::MemBytes
            | Builtin::CalldataBytes
            | Builtin::CodeBytes
            | Builtin::OwnCodeSize => self.raw_read(scope, builtin, args, ty),
        }
    }

    fn by_address(&mut self, scope: &Scope, var: Var, address: ExprId) -> Res<Tree> {
        let address = self.scalar(scope, address)?;
        let table = self.get(scope.now, var)?[0];
        let value = one(self.terms.select(table, address));
        let kind = match var {
            Var::CodeSizes => crate::LeafKind::Length,
            _ => crate::LeafKind::Word,
        };
        self.admit_loaded(&[crate::Leaf { kind, indices: Vec::new(), in_mapping: false }], &value);
        Ok(value)
    }

    fn calldata_slice(&mut self, scope: &Scope, args: &[ExprId]) -> Res<Tree> {
        let tree = self.eval(scope, args[0])?;
        let (start, end) = (self.scalar(scope, args[1])?, self.scalar(scope, args[2])?);
        let length = self.word_difference(end, start);
        let i = self.fresh_index();
        let at = self.word_sum(start, i);
        let mut leaves = vec![length];
        if matches!(self.program.types.get(self.referent(args[0])?), Type::Bytes) {
            return Ok(self.slice(&tree, start, length));
        }
        // What lies behind the slice is no part of it.
        let zero = self.word(0);
        let inside = self.in_bounds(i, zero, length);
        let shape = self.shape(self.referent(args[0])?)?;
        for (leaf, data) in shape.iter().zip(tree.iter()).skip(1) {
            let blank = self.blank_element(leaf);
            let element = self.terms.select(*data, at);
            let element = self.terms.ite(inside, element, blank);
            leaves.push(self.terms.lambda(i, element));
        }
        Ok(leaves.into())
    }

    /// A hash: computed where the bytes are known, else an unknown function of them. Different bytes have different
    /// hashes: nobody can find two that have not.
    fn hash(&mut self, builtin: Builtin, bytes: &Tree, ty: TypeId) -> TermId {
        let name = format!("{builtin:?}");
        let of_bytes = self.unknown_function(&name, bytes, ty);
        let result = match self.known_bytes(bytes) {
            Some(known) => {
                let word = self.hash_word(builtin, &known);
                let word = self.constant(&self.program.types.get(ty).clone(), word);
                // What is stored may be the same bytes, which only the function says.
                let fact = self.terms.eq(of_bytes, word);
                self.fact(fact);
                word
            }
            None => of_bytes,
        };
        let sort = self.terms.sort(result).clone();
        for (i, part) in bytes.iter().enumerate() {
            let part_sort = self.terms.sort(*part).clone();
            let inverse = self.terms.function(&format!("{name}^-1.{i}"), vec![sort.clone()], part_sort);
            let preimage = self.terms.apply(&inverse, &[result]);
            let fact = self.terms.eq(preimage, *part);
            self.fact(fact);
        }
        result
    }

    fn hash_word(&self, builtin: Builtin, bytes: &[u8]) -> U256 {
        match builtin {
            Builtin::Sha256 => U256::from_be_bytes(hornet_ir::hash::sha256(bytes)),
            // `bytes20`, left-aligned.
            Builtin::Ripemd160 => {
                let mut word = [0; 32];
                word[..20].copy_from_slice(&hornet_ir::hash::ripemd160(bytes));
                U256::from_be_bytes(word)
            }
            _ => U256::from_be_bytes(hornet_ir::hash::keccak256(bytes)),
        }
    }

    pub(crate) fn unknown_function(&mut self, name: &str, args: &[TermId], ty: TypeId) -> TermId {
        let ty = self.program.types.get(ty).clone();
        let params = args.iter().map(|a| self.terms.sort(*a).clone()).collect();
        let sort = self.ints.sort(&self.program.types, &ty);
        let function = self.terms.function(name, params, sort);
        let result = self.terms.apply(&function, args);
        let fact = self.ints.in_range(&mut self.terms, &self.program.types, &ty, result);
        self.fact(fact);
        result
    }

    pub(crate) fn unknown_bytes_of(&mut self, name: &str, args: &[TermId]) -> Tree {
        let params: Vec<Sort> = args.iter().map(|a| self.terms.sort(*a).clone()).collect();
        let shape = self.bytes_shape();
        let mut leaves = Vec::new();
        for (leaf, part) in shape.iter().zip(["length", "data"]) {
            let sort = self.leaf_sort(leaf);
            let function = self.terms.function(&format!("{name}.{part}"), params.clone(), sort);
            leaves.push(self.terms.apply(&function, args));
        }
        self.admit(&crate::LeafKind::Length, leaves[0]);
        self.canonical_bytes(&shape, &leaves);
        leaves.into()
    }

    fn word_builtin(&mut self, builtin: Builtin, args: &[TermId]) -> TermId {
        let (ints, terms) = (self.ints, &mut self.terms);
        match (builtin, args) {
            (Builtin::AddMod, &[a, b, m]) => ints.addmod(terms, a, b, m),
            (Builtin::MulMod, &[a, b, m]) => ints.mulmod(terms, a, b, m),
            (Builtin::Byte, &[i, word]) => ints.byte(terms, i, word),
            (Builtin::SignExtend, &[k, word]) => ints.signextend(terms, k, word),
            (_, &[word, ..]) => ints.clz(terms, word),
            (_, &[]) => ints.zero(terms, &WORD),
        }
    }

    /// An address and a selector as one value, or the parts of one.
    fn function_value(&mut self, builtin: Builtin, args: &[TermId]) -> TermId {
        match (builtin, self.made_functions.get(&args[0])) {
            (Builtin::FnAddress, Some((address, _))) => return *address,
            (Builtin::FnSelector, Some((_, selector))) => return *selector,
            _ => {}
        }
        let value = self.packed_function(builtin, args);
        if builtin == Builtin::MakeFnExternal {
            self.made_functions.insert(value, (args[0], args[1]));
        }
        value
    }

    /// Address and selector stand side by side.
    fn packed_function(&mut self, builtin: Builtin, args: &[TermId]) -> TermId {
        let is_bits = matches!(self.terms.sort(args[0]), Sort::BitVec(_));
        let shift = self.terms.int(num_bigint::BigInt::from(1) << 32);
        match (builtin, is_bits) {
            (Builtin::MakeFnExternal, true) => self.terms.concat(args[0], args[1]),
            (Builtin::MakeFnExternal, false) => {
                let high = self.terms.mul(shift, args[0]);
                self.terms.add(high, args[1])
            }
            (Builtin::FnAddress, true) => self.terms.extract(191, 32, args[0]),
            (Builtin::FnAddress, false) => self.terms.div(args[0], shift),
            (_, true) => self.terms.extract(31, 0, args[0]),
            (_, false) => self.terms.modulo(args[0], shift),
        }
    }
}
