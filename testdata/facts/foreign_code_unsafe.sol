// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

// Plug-ins run on the wallet's own storage. Anybody may bring one, so nothing in there is what it was.
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
        (bool ok, ) = plugin.delegatecall(data);
        require(ok, "the plug-in failed");
        runs = 3;
        assert(owner == before); // violated
        assert(!frozen); // violated
        assert(limits[before] == 7); // violated
        assert(runs == 3);
    }
}
