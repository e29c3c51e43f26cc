// The average of the reports of this round, if there are any.
// breaks: deploy; report(5); owner: reset(); average()
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Oracle {
    address immutable keeper = msg.sender;
    uint256 sum;
    uint256 reports;
    bool ready;

    function report(uint256 price) external {
        require(price <= 1000 && reports < 1000);
        sum += price;
        reports++;
        ready = true;
    }

    function reset() external {
        require(msg.sender == keeper);
        sum = 0;
        reports = 0;
    }

    function average() external view returns (uint256) {
        require(ready);
        return sum / reports; // violated
    }
}
