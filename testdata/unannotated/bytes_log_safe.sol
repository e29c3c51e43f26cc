// A log of bytes and its length.
// needs: size == log.length <= 1000
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Log {
    bytes log;
    uint256 size;

    function write(bytes1 b) external {
        require(size < 1000);
        log.push(b);
        size++;
    }

    function erase() external {
        require(size > 0 && log.length > 0);
        log.pop();
        size--;
    }

    function last() external view returns (bytes1) {
        require(size > 0);
        return log[size - 1];
    }
}
