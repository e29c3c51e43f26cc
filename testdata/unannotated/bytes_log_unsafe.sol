// A log of bytes and its length.
// breaks: deploy; write(0x0a); write(0x0b); erase(); last()
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
    }

    function last() external view returns (bytes1) {
        require(size > 0);
        return log[size - 1]; // violated
    }
}
