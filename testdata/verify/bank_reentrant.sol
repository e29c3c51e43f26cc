// fails: Bank.withdraw Bank.close
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

/// The receiver of the ether can call again before the books are right.
/// @notice invariant total == __verifier_sum_uint(balances)
contract Bank {
    mapping(address => uint256) balances;
    uint256 total;

    function deposit() public payable {
        require(msg.value <= type(uint256).max - total);
        balances[msg.sender] += msg.value;
        total += msg.value;
    }

    function withdraw(uint256 amount) public {
        require(balances[msg.sender] >= amount);
        balances[msg.sender] -= amount;
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok);
        total -= amount;
    }

    /// Pays first, and then forgets what happened meanwhile.
    function close() public {
        uint256 amount = balances[msg.sender];
        uint256 before = total;
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok);
        total = before - amount;
        balances[msg.sender] = 0;
    }
}
