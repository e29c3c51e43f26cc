// Jobs in an array of structures, and how many of them are open.
// breaks: deploy; post(5); finish(0); finish(0)
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Jobs {
    struct Job {
        address by;
        uint256 pay;
        bool done;
    }

    Job[] jobs;
    uint256 open;

    function post(uint256 pay) external {
        require(jobs.length < 1000);
        jobs.push(Job({by: msg.sender, pay: pay, done: false}));
        open++;
    }

    function finish(uint256 i) external {
        require(i < jobs.length && jobs[i].by == msg.sender);
        jobs[i].done = true;
        open--; // violated
    }
}
