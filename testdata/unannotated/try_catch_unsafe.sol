// A payment that fails is taken back.
// breaks: deploy; alice: fill(10); alice: pay(eve, 4) [-> fail]; audit()
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

interface Receiver {
    function take(uint256 amount) external;
}

contract Dispatcher {
    uint256 stock;
    uint256 sent;
    uint256 filled;

    function fill(uint256 amount) external {
        require(amount <= 1000 && filled <= 1000000);
        stock += amount;
        filled += amount;
    }

    function pay(Receiver to, uint256 amount) external {
        require(amount <= stock);
        stock -= amount;
        sent += amount; // reverts
        try to.take(amount) {} catch {
            stock += amount;
        }
    }

    function audit() external view {
        assert(stock + sent == filled); // violated
    }
}
