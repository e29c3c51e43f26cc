//! What instructions cost under the rules of each fork. Where that depends on the run, the dearest case.

use hornet_evm::machine::Fork;

use super::opcode::*;

/// Prices of one fork.
#[derive(Clone, Copy, Debug)]
pub struct Schedule {
    pub fork: Fork,
}

/// What a write to storage costs, beside the first touch of the slot.
#[derive(Clone, Copy, Debug)]
pub struct Sstore {
    /// Nothing changes, or the slot was changed before in this transaction.
    pub again: u64,
    /// The slot was zero when the transaction began.
    pub fresh: u64,
    pub change: u64,
}

pub const COLD_SLOT: u64 = 2100;
pub const COLD_ACCOUNT: u64 = 2600;
pub const WARM: u64 = 100;
pub const TRANSFER: u64 = 9000;
pub const STIPEND: u64 = 2300;
pub const NEW_ACCOUNT: u64 = 25_000;

impl Schedule {
    /// The price of an instruction apart from what its operands add; `None` if the fork does not know it.
    pub fn base(&self, opcode: u8) -> Option<u64> {
        let since = |fork: Fork, price: u64| (self.fork >= fork).then_some(price);
        match opcode {
            STOP | RETURN => Some(0),
            REVERT => since(Fork::Byzantium, 0),
            ADD | SUB | LT..=BYTE | PUSH1..=PUSH32 | DUP1..=DUP16 | SWAP1..=SWAP16 => Some(3),
            MUL | DIV | SDIV | MOD | SMOD | SIGNEXTEND => Some(5),
            ADDMOD | MULMOD | JUMP => Some(8),
            JUMPI | EXP => Some(10),
            SHL | SHR | SAR => since(Fork::Constantinople, 3),
            CLZ => since(Fork::Osaka, 5),
            KECCAK256 => Some(30),
            ADDRESS | ORIGIN | CALLER | CALLVALUE | CALLDATASIZE | CODESIZE | GASPRICE => Some(2),
            COINBASE | TIMESTAMP | NUMBER | PREVRANDAO | GASLIMIT | POP | PC | MSIZE | GAS => Some(2),
            RETURNDATASIZE => since(Fork::Byzantium, 2),
            CHAINID => since(Fork::Istanbul, 2),
            BASEFEE => since(Fork::London, 2),
            BLOBBASEFEE => since(Fork::Cancun, 2),
            PUSH0 => since(Fork::Shanghai, 2),
            CALLDATALOAD | CALLDATACOPY | CODECOPY | MLOAD | MSTORE | MSTORE8 => Some(3),
            RETURNDATACOPY => since(Fork::Byzantium, 3),
            MCOPY => since(Fork::Cancun, 3),
            BLOBHASH => since(Fork::Cancun, 3),
            BLOCKHASH => Some(20),
            SELFBALANCE => since(Fork::Istanbul, 5),
            JUMPDEST => Some(1),
            TLOAD | TSTORE => since(Fork::Cancun, 100),
            LOG0..=LOG4 => Some(375 * (1 + u64::from(opcode - LOG0))),
            CREATE => Some(32_000),
            CREATE2 => since(Fork::Constantinople, 32_000),
            SELFDESTRUCT if self.fork >= Fork::TangerineWhistle => Some(5000),
            SELFDESTRUCT => Some(0),
            DELEGATECALL => since(Fork::Homestead, 0),
            STATICCALL => since(Fork::Byzantium, 0),
            EXTCODEHASH => since(Fork::Constantinople, 0),
            // Priced by whether the place was touched before.
            SLOAD | SSTORE | BALANCE | EXTCODESIZE | EXTCODECOPY | CALL | CALLCODE => Some(0),
            _ => None,
        }
    }

    /// Looking at an account.
    pub fn account(&self, opcode: u8, warm: bool) -> u64 {
        if self.fork >= Fork::Berlin {
            return if warm { WARM } else { COLD_ACCOUNT };
        }
        let tangerine = self.fork >= Fork::TangerineWhistle;
        let istanbul = self.fork >= Fork::Istanbul;
        match opcode {
            BALANCE if istanbul => 700,
            BALANCE if tangerine => 400,
            EXTCODEHASH if istanbul => 700,
            EXTCODEHASH => 400,
            CALL | CALLCODE | DELEGATECALL | STATICCALL => {
                if tangerine {
                    700
                } else {
                    40
                }
            }
            _ if tangerine => 700,
            _ => 20,
        }
    }

    pub fn sload(&self, warm: bool) -> u64 {
        match self.fork {
            fork if fork >= Fork::Berlin => {
                if warm {
                    WARM
                } else {
                    COLD_SLOT
                }
            }
            fork if fork >= Fork::Istanbul => 800,
            fork if fork >= Fork::TangerineWhistle => 200,
            _ => 50,
        }
    }

    /// The first touch of a slot by a write.
    pub fn sstore_cold(&self) -> u64 {
        if self.fork >= Fork::Berlin { COLD_SLOT } else { 0 }
    }

    /// `None` before it mattered what the slot held when the transaction began.
    pub fn sstore(&self) -> Option<Sstore> {
        match self.fork {
            fork if fork >= Fork::Berlin => Some(Sstore { again: WARM, fresh: 20_000, change: 2900 }),
            fork if fork >= Fork::Istanbul => Some(Sstore { again: 800, fresh: 20_000, change: 5000 }),
            _ => None,
        }
    }

    /// For each byte of the exponent.
    pub fn exp_byte(&self) -> u64 {
        if self.fork >= Fork::SpuriousDragon { 50 } else { 10 }
    }

    /// For each word of the code that creates a contract.
    pub fn initcode_word(&self) -> u64 {
        if self.fork >= Fork::Shanghai { 2 } else { 0 }
    }

    /// An account that is called may name another one whose code runs.
    pub fn delegation(&self) -> u64 {
        if self.fork >= Fork::Prague { COLD_ACCOUNT } else { 0 }
    }

    /// The block's producer is touched before everything else.
    pub fn coinbase_is_warm(&self) -> bool {
        self.fork >= Fork::Shanghai
    }

    /// Whether a call that moves nothing pays for an account that does not exist.
    pub fn empty_calls_create(&self) -> bool {
        self.fork < Fork::SpuriousDragon
    }
}
