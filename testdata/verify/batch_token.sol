// args: --arithmetic mod-overflow
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.7.0;

/// Overflow is looked for after the fact, as was usual before 0.8.
library Safe {
    function add(uint256 a, uint256 b) internal pure returns (uint256 c) {
        c = a + b;
        require(c >= a, "overflow");
    }

    function mul(uint256 a, uint256 b) internal pure returns (uint256 c) {
        if (a == 0) return 0;
        c = a * b;
        require(c / a == b, "overflow");
    }
}

/// @notice invariant supply == __verifier_sum_uint(balances)
contract BatchToken {
    using Safe for uint256;

    mapping(address => uint256) balances;
    uint256 supply;

    constructor(uint256 initial) {
        supply = initial;
        balances[msg.sender] = initial;
    }

    function batchTransfer(address[] memory receivers, uint256 value) public {
        uint256 amount = receivers.length.mul(value);
        require(receivers.length > 0 && receivers.length <= 20);
        require(value > 0 && balances[msg.sender] >= amount);
        balances[msg.sender] = balances[msg.sender] - amount;
        uint256 sent = 0;
        /// @notice invariant i <= receivers.length
        /// @notice invariant sent == i * value
        /// @notice invariant supply == __verifier_sum_uint(balances) + amount - sent
        for (uint256 i = 0; i < receivers.length; i++) {
            balances[receivers[i]] = balances[receivers[i]].add(value);
            sent = sent.add(value);
        }
    }
}
