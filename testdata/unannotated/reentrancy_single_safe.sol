// The receiver of the ether can withdraw again before its balance is cleared.
// needs: sum(balances) == total
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Piggy {
    mapping(address => uint256) balances;
    uint256 total;

    function deposit() external payable {
        balances[msg.sender] += msg.value;
        total += msg.value;
    }

    function withdraw() external {
        uint256 amount = balances[msg.sender];
        require(amount > 0);
        balances[msg.sender] = 0;
        total -= amount;
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok);
    }

    function audit(address who) external view {
        assert(balances[who] <= total);
    }
}
