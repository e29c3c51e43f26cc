// A record of times, whose last entry may be moved back but not into the future.
// needs: for every i: times[i] <= block.timestamp, which never goes back
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Times {
    uint256[] times;

    function record() external {
        uint256 n = times.length;
        require(n < 1000);
        if (n > 0) assert(times[n - 1] <= block.timestamp);
        times.push(block.timestamp);
    }

    function amend(uint256 time) external {
        uint256 n = times.length;
        require(n > 0);
        require(time <= times[n - 1]);
        times[n - 1] = time;
    }
}
