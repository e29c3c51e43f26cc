// Functions that change something are locked, but the price is read while the books are half written.
// breaks: deploy; eve: join{2}(); eve: exit() [price()]
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Pool {
    mapping(address => uint256) shares;
    uint256 total;
    uint256 assets;
    bool locked;

    modifier lock() {
        require(!locked);
        locked = true;
        _;
        locked = false;
    }

    function join() external payable lock {
        shares[msg.sender] += msg.value;
        total += msg.value;
        assets += msg.value;
    }

    function exit() external lock {
        uint256 amount = shares[msg.sender];
        require(amount > 0);
        shares[msg.sender] = 0;
        assets -= amount;
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok);
        total -= amount;
    }

    function price() external view returns (uint256) {
        assert(assets == total); // violated
        return total == 0 ? 1 : assets / total;
    }
}
