//! ABI encodings: unknown functions of what is encoded, except where the bytes are plain.

use crate::context::{Context, Res};
use crate::eval::Scope;
use crate::raw::APPROXIMATED;
use crate::shape::LeafKind;
use crate::tree::Tree;
use hornet_ir::expr::AbiMode;
use hornet_ir::ids::{ExprId, TypeId};
use hornet_ir::layout::packed_bytes;
use hornet_ir::types::Type;
use hornet_smt::term::{Op, TermId};

impl Context<'_> {
    pub(crate) fn abi_encode(
        &mut self,
        scope: &Scope,
        mode: AbiMode,
        selector: Option<ExprId>,
        types: &[TypeId],
        args: &[ExprId],
    ) -> Res<Tree> {
        let mut values = Vec::new();
        for (ty, arg) in types.iter().zip(args) {
            values.push(self.encoded_value(scope, *ty, *arg)?);
        }
        let selector = selector.map(|s| self.scalar(scope, s)).transpose()?;
        Ok(self.encoding(mode, selector, types, &values))
    }

    /// The old coder neither cleans elements of arrays when it decodes them nor when it encodes them: what the bytes are does
    /// not follow from the numbers.
    pub(crate) fn perhaps_unclean(&mut self, types: &[TypeId], bytes: Tree) -> Tree {
        if !types.iter().any(|ty| self.has_narrow_elements(*ty)) {
            return bytes;
        }
        let unknown = self.fresh_bytes(APPROXIMATED);
        [bytes[0], unknown[1]].into()
    }

    fn has_narrow_elements(&self, ty: TypeId) -> bool {
        let types = &self.program.types;
        match types.get(ty) {
            Type::Array { elem, .. } if types.get(*elem).is_scalar() => packed_bytes(types, *elem) < 32,
            Type::Array { elem, .. } => self.has_narrow_elements(*elem),
            _ => false,
        }
    }

    /// The bytes of encoded values.
    pub fn encoding(
        &mut self,
        mode: AbiMode,
        selector: Option<TermId>,
        types: &[TypeId],
        values: &[Tree],
    ) -> Tree {
        if selector.is_none() && types.is_empty() {
            return self.bytes_const(&[]);
        }
        // Bytes packed alone are themselves.
        if let (AbiMode::Packed, None, [ty]) = (mode, selector, types)
            && matches!(self.program.types.get(*ty), Type::Bytes)
        {
            return values[0].clone();
        }
        let mode = match mode {
            AbiMode::Packed if self.are_full_words(types) => AbiMode::Standard,
            mode => mode,
        };
        let name = encoder_name(mode, selector.is_some(), types);
        let args: Vec<TermId> =
            selector.into_iter().chain(values.iter().flat_map(|v| v.iter().copied())).collect();
        if args.is_empty() {
            return self.unknown_bytes(&name);
        }
        let bytes = self.unknown_bytes_of(&name, &args);
        if let Some(length) = self.encoded_length(mode, types, values) {
            let before = self.word(if selector.is_some() { 4 } else { 0 });
            let length = self.total(&[before, length]);
            let fact = self.terms.eq(bytes[0], length);
            self.fact(fact);
        }
        self.encoding_facts(mode, &name, types, &args, &bytes, selector.is_some());
        bytes
    }

    /// What is known of an encoding without looking into it: that it can be decoded.
    fn encoding_facts(
        &mut self,
        mode: AbiMode,
        name: &str,
        types: &[TypeId],
        args: &[TermId],
        bytes: &Tree,
        with_selector: bool,
    ) {
        let is_static = types.iter().all(|ty| self.program.types.get(*ty).is_scalar());
        // Packed scalars have fixed places; two packed byte strings could share a boundary in several ways.
        let decodable = match mode {
            AbiMode::Standard => true,
            AbiMode::Packed | AbiMode::Topic => is_static,
        };
        if !decodable {
            return;
        }
        let data_sort = self.terms.sort(bytes[1]).clone();
        let told_apart = self.told_apart(types, with_selector);
        for (i, arg) in args.iter().enumerate() {
            if told_apart.get(i) != Some(&true) {
                continue;
            }
            let sort = self.terms.sort(*arg).clone();
            let inverse = self.terms.function(&format!("{name}^-1.{i}"), vec![data_sort.clone()], sort);
            let decoded = self.terms.apply(&inverse, &[bytes[1]]);
            let fact = self.terms.eq(decoded, *arg);
            self.fact(fact);
        }
    }

    /// For each leaf of encoded values, whether different terms have different encodings. Arrays that differ only beyond
    /// their length have not; bytes are zero there.
    fn told_apart(&mut self, types: &[TypeId], with_selector: bool) -> Vec<bool> {
        let mut told = vec![true; usize::from(with_selector)];
        for ty in types {
            let Ok(shape) = self.shape(*ty) else { return Vec::new() };
            told.extend(shape.iter().map(|leaf| match leaf.kind {
                LeafKind::Byte => leaf.indices.len() == 1,
                _ => leaf.indices.is_empty(),
            }));
        }
        told
    }

    /// The values that bytes were made of, if they were encoded as these types.
    pub fn decoded(&mut self, types: &[TypeId], bytes: &Tree) -> Option<Vec<Tree>> {
        let name = format!("{}.data", encoder_name(AbiMode::Standard, false, types));
        match self.terms.op(bytes[1]) {
            Op::Apply(function) if *function.name == *name => {}
            _ => return None,
        }
        let args = self.terms.args(bytes[1]).to_vec();
        let mut values = Vec::new();
        let mut at = 0;
        for ty in types {
            let size = self.shape(*ty).ok()?.len();
            values.push(args.get(at..at + size)?.into());
            at += size;
        }
        Some(values)
    }

    /// The selector, types and arguments that call data was made of, where that is plain from the terms.
    pub fn decoded_call(&mut self, bytes: &Tree) -> Option<(TermId, Vec<TypeId>, Vec<Tree>)> {
        if let Some(known) = self.known_bytes(bytes) {
            let selector: [u8; 4] = known.try_into().ok()?;
            let word = hornet_ir::U256::from(u32::from_be_bytes(selector)) << 224;
            return Some((self.constant(&Type::FixedBytes(4), word), Vec::new(), Vec::new()));
        }
        let Op::Apply(function) = self.terms.op(bytes[1]) else { return None };
        let types = function.name.strip_prefix(CALL_PREFIX)?.strip_suffix(".data")?;
        let types: Vec<TypeId> = types
            .split('.')
            .filter(|t| !t.is_empty())
            .map(|t| t.parse().ok().map(TypeId))
            .collect::<Option<_>>()?;
        let args = self.terms.args(bytes[1]).to_vec();
        let mut values = Vec::new();
        let mut at = 1;
        for ty in &types {
            let size = self.shape(*ty).ok()?.len();
            values.push(args.get(at..at + size)?.into());
            at += size;
        }
        Some((args[0], types, values))
    }

    /// What an argument contributes: references by their contents.
    fn encoded_value(&mut self, scope: &Scope, ty: TypeId, arg: ExprId) -> Res<Tree> {
        let value = self.eval(scope, arg)?;
        let from = self.program.exprs.ty(arg);
        let (from, value) = match self.program.types.get(from).clone() {
            Type::MemoryRef(t) => (t, self.deep(scope.now, t, value[0])?),
            Type::StorageRef(t) => (t, self.behind(scope, t, &value)?),
            Type::CalldataRef(t) => (t, value),
            _ => (from, value),
        };
        if self.program.types.get(from).is_scalar() && self.program.types.get(ty).is_scalar() {
            return self.cast(from, ty, &value);
        }
        Ok(value)
    }
}

/// How the names of functions that encode calls begin.
const CALL_PREFIX: &str = "abi.call.encode.";

fn encoder_name(mode: AbiMode, with_selector: bool, types: &[TypeId]) -> String {
    let types: Vec<String> = types.iter().map(|ty| ty.0.to_string()).collect();
    let selector = if with_selector { "call." } else { "" };
    let mode = match mode {
        AbiMode::Standard => "encode",
        AbiMode::Packed => "packed",
        AbiMode::Topic => "topic",
    };
    format!("abi.{selector}{mode}.{}", types.join("."))
}
