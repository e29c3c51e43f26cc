// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {AccessControl} from "oz5/access/AccessControl.sol";
import {AccessControlEnumerable} from "oz5/access/extensions/AccessControlEnumerable.sol";
import {Ownable} from "oz5/access/Ownable.sol";
import {Ownable2Step} from "oz5/access/Ownable2Step.sol";
import {VestingWallet} from "oz5/finance/VestingWallet.sol";
import {Governor} from "oz5/governance/Governor.sol";
import {GovernorCountingSimple} from "oz5/governance/extensions/GovernorCountingSimple.sol";

contract Roles is AccessControl {
    constructor() {
        _grantRole(DEFAULT_ADMIN_ROLE, msg.sender);
    }
}

contract CountedRoles is AccessControlEnumerable {
    constructor() {
        _grantRole(DEFAULT_ADMIN_ROLE, msg.sender);
    }
}

contract Owned is Ownable {
    constructor() Ownable(msg.sender) {}
}

contract HandedOver is Ownable2Step {
    constructor() Ownable(msg.sender) {}
}

contract Vesting is VestingWallet {
    constructor() VestingWallet(msg.sender, 1000, 1000000) {}
}

contract Assembly is GovernorCountingSimple {
    constructor() Governor("Assembly") {}

    function clock() public view override returns (uint48) {
        return uint48(block.number);
    }

    function CLOCK_MODE() public pure override returns (string memory) {
        return "mode=blocknumber&from=default";
    }

    function votingDelay() public pure override returns (uint256) {
        return 1;
    }

    function votingPeriod() public pure override returns (uint256) {
        return 10;
    }

    function quorum(uint256) public pure override returns (uint256) {
        return 2;
    }

    function _getVotes(address, uint256, bytes memory) internal pure override returns (uint256) {
        return 1;
    }
}
