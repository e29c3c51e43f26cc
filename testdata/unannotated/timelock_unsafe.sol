// The waiting time can be changed, but no operation waits less than the minimum.
// breaks: deploy; owner: setWait(0); owner: queue(1); owner: execute(1)
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Timelock {
    struct Operation {
        bool queued;
        uint256 start;
        uint256 wait;
    }

    uint256 constant MINIMUM = 10;
    address immutable admin = msg.sender;
    uint256 waiting = 2 * MINIMUM;
    mapping(uint256 => Operation) operations;

    modifier onlyAdmin() {
        require(msg.sender == admin);
        _;
    }

    function setWait(uint256 time) external onlyAdmin {
        waiting = time;
    }

    function queue(uint256 id) external onlyAdmin {
        require(!operations[id].queued);
        operations[id] = Operation(true, block.timestamp, waiting);
    }

    function execute(uint256 id) external onlyAdmin {
        Operation memory op = operations[id];
        require(op.queued);
        uint256 waited = block.timestamp - op.start;
        require(waited >= op.wait);
        assert(waited >= MINIMUM); // violated
        delete operations[id];
    }
}
