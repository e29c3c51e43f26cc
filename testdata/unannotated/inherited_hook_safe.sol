// A hook that is overridden must still do what the base does.
// needs: size == sum(seats)
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

abstract contract Club {
    mapping(address => uint256) seats;
    uint256 size;

    function join() external {
        require(seats[msg.sender] == 0 && size < 1000);
        seats[msg.sender] = 1;
        size++;
        afterChange(msg.sender);
    }

    function quit() external {
        require(seats[msg.sender] == 1);
        beforeQuit(msg.sender);
        size--;
        afterChange(msg.sender);
    }

    function beforeQuit(address who) internal virtual {
        seats[who] = 0;
    }

    function afterChange(address who) internal virtual;
}

contract LoggedClub is Club {
    mapping(address => uint256) changes;
    mapping(address => bool) hasLeft;

    function beforeQuit(address who) internal override {
        super.beforeQuit(who);
        hasLeft[who] = true;
    }

    function afterChange(address who) internal override {
        unchecked {
            changes[who]++;
        }
    }

    function audit(address who) external view {
        assert(seats[who] <= size);
    }
}
