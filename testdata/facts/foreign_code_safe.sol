// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

// Plug-ins are called, and keep their hands off the wallet's storage.
contract PluginWallet {
    address owner;
    uint64 runs;
    bool frozen;
    mapping(address => uint256) limits;

    constructor() {
        owner = msg.sender;
        limits[msg.sender] = 7;
    }

    function run(address plugin, bytes calldata data) external {
        require(!frozen, "frozen");
        address before = owner;
        (bool ok, ) = plugin.call(data);
        require(ok, "the plug-in failed");
        runs = 3;
        assert(owner == before);
        assert(!frozen);
        assert(limits[before] == 7);
        assert(runs == 3);
    }
}
