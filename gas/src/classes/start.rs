//! Ways into a contract, and plain calls to begin with.

use hornet_evm::U256;
use hornet_ir::expr::AbiMode;
use hornet_ir::ids::{ContractId, ProcId, TypeId};
use hornet_ir::interp::abi::encode::encode_trees;
use hornet_ir::interp::value::Tree;
use hornet_ir::program::Program;
use hornet_ir::types::{Type, Types};
use hornet_symbolic::exec::Action;

/// A function that can be called from outside.
pub(super) struct Entrance {
    /// As in the ABI.
    pub signature: String,
    pub action: Action,
    pub code: ProcId,
    pub payable: bool,
    /// Calldata with plain arguments.
    pub data: Vec<Vec<u8>>,
}

impl Entrance {
    pub fn all(program: &Program, contract: ContractId) -> Vec<Entrance> {
        let decl = &program.contracts[contract];
        let mut all = Vec::new();
        for (at, entry) in decl.entries.iter().enumerate() {
            let types = parameters(program, entry.proc);
            let data = plain_arguments(&program.types, &types);
            let data = data.map(|data| [&entry.selector[..], &data].concat());
            let (signature, data) = (entry.signature.clone(), data.collect());
            let payable = entry.payable;
            all.push(Entrance { signature, action: Action::Call(at), code: entry.proc, payable, data });
        }
        all.extend(decl.receive.map(|code| Entrance {
            signature: "receive()".to_owned(),
            action: Action::Receive,
            code,
            payable: true,
            data: vec![Vec::new()],
        }));
        all.extend(decl.fallback.map(|fallback| Entrance {
            signature: "fallback()".to_owned(),
            action: Action::Fallback,
            code: fallback.proc,
            payable: true,
            data: vec![vec![0xff], vec![0xff; 36]],
        }));
        all
    }
}

/// The types that the parameters of an entry are encoded as.
pub(super) fn parameters(program: &Program, code: ProcId) -> Vec<TypeId> {
    let proc = &program.procs[code];
    let types = proc.params.iter().map(|param| proc.locals[*param].ty);
    types.map(|ty| program.types.referent(ty).unwrap_or(ty)).collect()
}

/// A word for every scalar, and so many elements in every array.
#[derive(Clone, Copy)]
struct Kind {
    word: u64,
    length: usize,
}

const KINDS: [Kind; 3] =
    [Kind { word: 0, length: 0 }, Kind { word: 1, length: 2 }, Kind { word: 0x000b_0b0b, length: 4 }];

/// Encoded arguments to begin with.
pub(super) fn plain_arguments(types: &Types, parameters: &[TypeId]) -> impl Iterator<Item = Vec<u8>> {
    KINDS.iter().filter_map(move |kind| arguments(types, parameters, *kind))
}

/// Arguments of plain values; `None` for types that are not encoded.
fn arguments(types: &Types, parameters: &[TypeId], kind: Kind) -> Option<Vec<u8>> {
    let values = parameters.iter().map(|ty| value(types, *ty, kind)).collect::<Option<Vec<Tree>>>()?;
    encode_trees(types, AbiMode::Standard, parameters, &values).ok()
}

fn value(types: &Types, ty: TypeId, kind: Kind) -> Option<Tree> {
    Some(match types.get(ty) {
        Type::Bool | Type::Enum(_) => Tree::Word(U256::from(kind.word.min(1))),
        Type::FixedBytes(_) => Tree::Word(U256::from(kind.word.min(1)) << 248),
        Type::Int { bits, .. } if *bits < 32 => Tree::Word(U256::from(kind.word.min(1))),
        Type::Int { .. } | Type::Address => Tree::Word(U256::from(kind.word)),
        Type::FnExternal => Tree::Word(U256::ZERO),
        Type::Bytes => Tree::Bytes(vec![b'a'; 20 * kind.length].into()),
        Type::Array { elem, len } => {
            let length = len.map_or(Some(kind.length), |len| usize::try_from(len).ok())?;
            Tree::List(vec![value(types, *elem, kind)?; length.min(1 << 12)])
        }
        Type::Struct(id) => {
            let fields = types.structs[*id].fields.iter();
            Tree::List(fields.map(|field| value(types, field.ty, kind)).collect::<Option<_>>()?)
        }
        Type::MemoryRef(to) | Type::CalldataRef(to) => value(types, *to, kind)?,
        Type::FnInternal | Type::Mapping { .. } | Type::StorageRef(_) => return None,
    })
}
