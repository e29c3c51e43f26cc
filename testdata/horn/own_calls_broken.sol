// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

// Each of these claims holds when others call, and is relied on where the contract itself does.
contract Claims {
    uint256 level;

    /// @notice postcondition result == 0
    function look() public view returns (uint256 result) { // open
        return level > 5 ? 1 : 0;
    }

    function rise() external {
        level = 10;
        assert(look() == 0);
        level = 0;
    }
}

contract Aliases {
    /// @notice postcondition one.length == 0 || one[0] == 5
    function set(uint256[] memory one, uint256[] memory other) public pure { // open
        if (one.length > 0) {
            one[0] = 5;
        }
        if (one.length > 0 && other.length > 0) {
            other[0] = 6;
        }
    }

    function twice() external pure {
        uint256[] memory both = new uint256[](1);
        set(both, both);
        assert(both[0] == 5);
    }
}

contract Callers {
    /// @notice postcondition who != address(this)
    function caller() public view returns (address who) { // open
        return msg.sender;
    }

    function ask() external view {
        assert(this.caller() != address(this)); // open
    }
}

/// @notice invariant low <= high
contract Ordered {
    uint256 low = 1;
    uint256 high = 2;
    uint256 mode;

    function drop() public { // open
        if (mode > 5) {
            high = 0;
        }
    }

    function change() external {
        mode = 10;
        drop();
        assert(low <= high);
        (mode, high) = (0, 2);
    }
}

// Functions are known by their selectors: this one has that of `burn(uint256)`.
interface Namesake {
    function collate_propagate_storage(bytes16) external;
}

contract Colliding {
    bool byItself;

    function go() external {
        Namesake(address(this)).collate_propagate_storage(0);
    }

    function burn(uint256) external {
        byItself = msg.sender == address(this);
    }

    function look() external view {
        assert(!byItself); // open
    }
}

// An invariant that holds now need not hold in a later call.
/// @notice invariant time == 0 || time >= block.timestamp
contract Stale {
    uint256 time;

    function set() external { // open
        time = block.timestamp;
    }
}

// The same call is one of the contract itself, or of others.
/// @notice invariant level == 0
contract Entered {
    uint256 level;

    function ask(address who) internal {
        Entered(who).look(); // open
    }

    function rise(address other) external {
        ask(other);
        level = 1;
        ask(address(this));
        level = 0;
    }

    function look() external view {
        assert(level == 0);
    }
}

contract Succeeding {
    uint256 level;

    /// @notice postcondition level == old(level)
    /// @notice succeeds-if msg.value == 0
    function check() public view { // open
        require(level == 0);
    }

    /// @notice succeeds-if msg.value == 0
    function rise() external {
        level = 10;
        check();
        level = 0;
    }
}

// Too deep to be followed by each function on its own.
/// @notice invariant level <= 5
contract Deep {
    uint256 level;
    bool inside;

    function pay() public payable { // open
        if (inside) level = 9;
    }

    function first() internal {
        second();
    }

    function second() internal {
        third();
    }

    function third() internal {
        pay();
    }

    function rise() external {
        inside = true;
        first();
        assert(level <= 5);
        (level, inside) = (0, false);
    }
}

contract Visitor {
    constructor(Visited host) {
        host.look();
    }
}

contract Visited {
    uint256 level;

    /// @notice postcondition result == 0
    function look() public view returns (uint256 result) { // open
        return level;
    }

    function rise() external {
        level = 10;
        new Visitor(this);
        level = 0;
    }
}

contract Values {
    uint256 level;

    /// @notice postcondition result == 0
    function look() public view returns (uint256 result) { // open
        return level;
    }

    function rise() external returns (uint256 seen) {
        level = 9;
        function() internal view returns (uint256) asked = look;
        seen = asked();
        level = 0;
    }
}
