#!/usr/bin/env bash
# A contract that is proved and its broken twin; what functions cost; then a sample contract's calls through the interpreter
# and, beside it, solc's bytecode on a real EVM.
# Usage: scripts/demo.sh path/to/hornet
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
hornet=${1:?path to the hornet binary}

. scripts/show.sh

show verify testdata/verify/bank.sol
# A check that fails is what this one is about.
show_exit 1 verify testdata/verify/bank_reentrant.sol

# What functions cost: the dearest runs found, and ceilings that no run exceeds.
show gas testdata/gas/airdrop.sol --timeout 5

show ir testdata/demo/Bank.sol --contract Bank --function withdraw

show run testdata/demo/Bank.sol --evm \
    --call 'constructor(250)' \
    --call 'deposit{value: 2 ether}()' \
    --call 'deposit{from: bob, value: 5 wei}()' \
    --call 'transfer(carol, 1000000)' \
    --call 'transfer{from: bob}(carol, 6)' \
    --call 'setNote{from: carol}("rent")' \
    --call 'account(carol)' \
    --call 'withdraw{from: bob}(2)' \
    --call 'withdraw{from: bob}(4)' \
    --call 'lastDeposit(alice, 0)' \
    --call 'lastDeposit(alice, 1)' \
    --call 'collect{from: eve}(eve)' \
    --call 'collect(dave)' \
    --call 'total()' \
    --call 'digest(hex"c0ffee", -100)'
