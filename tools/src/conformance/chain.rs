//! The chain that the expectations were recorded on: the test host of solc's own test runner.

use hornet_evm::machine::{Environment, Fork};
use hornet_evm::{Address, B256, U256};

/// The account that sends, until a file says otherwise.
pub const SENDER: Address = address(0x1212_1212_1212_1212_1212_1212_1212_1200, 0x0000_0012);

const fn address(high: u128, low: u32) -> Address {
    let (h, l) = (high.to_be_bytes(), low.to_be_bytes());
    let mut bytes = [0; 20];
    let mut i = 0;
    while i < 20 {
        bytes[i] = if i < 16 { h[i] } else { l[i - 16] };
        i += 1;
    }
    Address::new(bytes)
}

/// The numbered accounts of the test chain.
pub fn account(index: u64) -> Address {
    let base = U256::from_be_slice(SENDER.as_slice());
    let sum = base + U256::from(index) * U256::from(0x1000);
    Address::from_slice(&sum.to_be_bytes::<32>()[12..])
}

/// Before the first transaction; each one is a block of its own, fifteen seconds after the last.
pub fn test_environment(fork: Fork) -> Environment {
    let merge_randao = "0xa86c2e601b6c44eb4848f7d23d9df3113fbcac42041c49cbed5000cb4f118777";
    let blob = |n: u64| B256::from((U256::from(1) << 248) | U256::from(n));
    Environment {
        number: U256::ZERO,
        timestamp: U256::ZERO,
        coinbase: Address::repeat_byte(0x78),
        gas_limit: 20_000_000,
        base_fee: 7,
        prevrandao: if fork >= Fork::Paris {
            merge_randao.parse().unwrap_or_default()
        } else {
            U256::from(200_000_000)
        },
        blob_base_fee: 1,
        blob_hashes: vec![blob(1), blob(2)],
        chain_id: 1,
        gas_price: 3_000_000_000,
    }
}

/// `tx.origin` there, whoever sends.
pub const ORIGIN: Address = Address::repeat_byte(0x92);

/// Its accounts before the first transaction.
pub fn test_accounts() -> Vec<(Address, U256)> {
    let rich = (0..10).map(|i| (account(i), U256::from(1) << 100));
    let precompiled = (1..=8).map(|i| (Address::with_last_byte(i), U256::from(1)));
    rich.chain(precompiled).collect()
}

pub fn block_hash(number: U256) -> B256 {
    B256::from(U256::from_be_slice(&[0x37; 32]) + number)
}
