// While ether is on its way out, credit can be given away through a function that does not take the lock.
// needs: sum(credit) == total, and nothing changes while busy
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
        credit[msg.sender] += msg.value;
        total += msg.value;
    }

    function withdraw() external once {
        uint256 amount = credit[msg.sender];
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok);
        credit[msg.sender] = 0;
        total -= amount;
    }

    function give(address to, uint256 amount) external once {
        require(credit[msg.sender] >= amount);
        credit[msg.sender] -= amount;
        credit[to] += amount;
    }

    function audit(address who) external view {
        assert(credit[who] <= total);
    }
}
