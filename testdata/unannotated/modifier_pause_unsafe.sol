// Nothing is withdrawn while the contract is paused.
// breaks: deploy; alice: deposit(7); owner: pause(); alice: withdrawAll(); owner: audit()
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Pausable {
    address immutable guardian = msg.sender;
    bool paused;
    uint256 total;
    uint256 frozen;
    mapping(address => uint256) deposits;

    modifier whenRunning() {
        require(!paused, "paused");
        _;
    }

    modifier onlyGuardian() {
        require(msg.sender == guardian, "not the guardian");
        _;
    }

    function pause() external onlyGuardian whenRunning {
        paused = true;
        frozen = total;
    }

    function resume() external onlyGuardian {
        paused = false;
    }

    function deposit(uint256 amount) external whenRunning {
        require(amount <= 1000 && total <= 1000000);
        deposits[msg.sender] += amount;
        total += amount;
    }

    function withdrawAll() external {
        uint256 amount = deposits[msg.sender];
        deposits[msg.sender] = 0;
        total -= amount;
    }

    function audit() external view {
        require(paused);
        assert(total == frozen); // violated
    }
}
