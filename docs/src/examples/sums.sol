// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

/// @notice invariant total == sum(balances)
/// @notice invariant locked == sum(deposits[_].amount)
contract Sums {
    struct Deposit {
        uint128 amount;
        bool open;
    }

    mapping(address => uint256) public balances;
    mapping(uint256 => Deposit) public deposits;
    uint256 public total;
    uint256 public locked;

    function mint(uint256 amount) public {
        require(amount < 1000 && total < 1000);
        balances[msg.sender] += amount; // cannot overflow: no balance is more than the total
        total += amount;
    }

    function transfer(address to, uint256 amount) public {
        require(amount <= balances[msg.sender]);
        balances[msg.sender] -= amount;
        balances[to] += amount;
    }

    function lock(uint256 id, uint128 amount) public {
        require(amount < 1000 && locked < 1000);
        locked += amount;
        deposits[id].amount += amount;
    }

    function overwrite(uint256 id, uint128 amount) public {
        require(amount < 1000 && locked < 1000);
        locked += amount;
        deposits[id] = Deposit(amount, true); // forgets what was there
    }
}
