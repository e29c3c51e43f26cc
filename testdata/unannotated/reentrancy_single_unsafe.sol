// The receiver of the ether can withdraw again before its balance is cleared.
// breaks: deploy; alice: deposit{1}(); eve: deposit{1}(); eve: withdraw() [withdraw()]; audit(alice)
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Piggy {
    mapping(address => uint256) balances;
    uint256 total;

    function deposit() external payable {
        balances[msg.sender] += msg.value; // reverts
        total += msg.value; // reverts
    }

    function withdraw() external {
        uint256 amount = balances[msg.sender];
        require(amount > 0);
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok);
        balances[msg.sender] = 0;
        total -= amount; // reverts
    }

    function audit(address who) external view {
        assert(balances[who] <= total); // violated
    }
}
