// args: --arithmetic mod-overflow
// fails: BatchToken.batchTransfer
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.7.0;

/// The product can wrap around to something small: then much is given away and little taken.
/// @notice invariant supply == __verifier_sum_uint(balances)
contract BatchToken {
    mapping(address => uint256) balances;
    uint256 supply;

    constructor(uint256 initial) {
        supply = initial;
        balances[msg.sender] = initial;
    }

    function batchTransfer(address[] memory receivers, uint256 value) public {
        uint256 amount = receivers.length * value;
        require(receivers.length > 0 && receivers.length <= 20);
        require(value > 0 && balances[msg.sender] >= amount);
        balances[msg.sender] = balances[msg.sender] - amount;
        uint256 sent = 0;
        /// @notice invariant i <= receivers.length
        /// @notice invariant sent == i * value
        /// @notice invariant supply == __verifier_sum_uint(balances) + amount - sent
        for (uint256 i = 0; i < receivers.length; i++) {
            uint256 now_ = balances[receivers[i]] + value;
            require(now_ >= value);
            balances[receivers[i]] = now_;
            sent = sent + value;
        }
    }
}
