// A dial between two limits that are fixed at deployment.
// needs: low <= value <= high
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Dial {
    uint256 immutable low;
    uint256 immutable high;
    address immutable owner;
    uint256 value;

    constructor(uint256 least, uint256 most) {
        require(least < most);
        low = least;
        high = most;
        owner = msg.sender;
        value = least;
    }

    function set(uint256 to) external {
        require(msg.sender == owner && to >= low && to <= high);
        value = to;
    }

    function up() external {
        require(value < high);
        value++;
    }

    function audit() external view {
        assert(low <= value && value <= high);
    }
}
