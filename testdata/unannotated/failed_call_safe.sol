// A payment that does not arrive is credited again, in the total too.
// needs: sum(credit) == total <= address(this).balance
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Refunds {
    mapping(address => uint256) credit;
    uint256 total;

    function deposit() external payable {
        credit[msg.sender] += msg.value;
        total += msg.value;
    }

    function withdraw() external {
        uint256 amount = credit[msg.sender];
        credit[msg.sender] = 0;
        total -= amount;
        (bool ok, ) = msg.sender.call{value: amount}("");
        if (!ok) {
            credit[msg.sender] += amount;
            total += amount;
        }
    }

    function audit(address who) external view {
        assert(credit[who] <= total);
    }
}
