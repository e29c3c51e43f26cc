// While ether is on its way out, credit can be given away through a function that does not take the lock.
// breaks: deploy; eve: deposit{1}(); eve: withdraw() [give(bob, 1)]; audit(bob)
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Wallet {
    mapping(address => uint256) credit;
    uint256 total;
    bool busy;

    modifier once() {
        require(!busy);
        busy = true;
        _;
        busy = false;
    }

    function deposit() external payable once {
        credit[msg.sender] += msg.value; // reverts
        total += msg.value; // reverts
    }

    function withdraw() external once {
        uint256 amount = credit[msg.sender];
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok);
        credit[msg.sender] = 0;
        total -= amount; // reverts
    }

    function give(address to, uint256 amount) external {
        require(credit[msg.sender] >= amount);
        credit[msg.sender] -= amount;
        credit[to] += amount; // reverts
    }

    function audit(address who) external view {
        assert(credit[who] <= total); // violated
    }
}
