// fails: Registry.silent Registry.undeclared Registry.wrongValue Registry.lowers Registry.asks Counter.rush
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Registry {
    mapping(address => uint256) values;

    /// @notice tracks-changes-in values
    /// @notice precondition values[who] < value
    /// @notice postcondition values[who] == value
    event Raised(address who, uint256 value);

    /// @notice emits Raised
    function silent(uint256 value) public {
        require(values[msg.sender] < value);
        values[msg.sender] = value;
    }

    function undeclared(uint256 value) public {
        require(values[msg.sender] < value);
        values[msg.sender] = value;
        emit Raised(msg.sender, value);
    }

    /// @notice emits Raised
    function wrongValue(uint256 value) public {
        require(values[msg.sender] < value && value < 100);
        values[msg.sender] = value;
        emit Raised(msg.sender, value + 1);
    }

    /// Others can change the value again, but not report this change.
    /// @notice emits Raised
    function asks(uint256 value, address other) public returns (bool ok) {
        require(values[msg.sender] < value);
        values[msg.sender] = value;
        (ok, ) = other.call("");
    }

    /// @notice emits Raised
    function lowers(uint256 value) public {
        values[msg.sender] = value;
        emit Raised(msg.sender, value);
    }
}

/// An event that tracks nothing reports on everything since the one before.
contract Counter {
    uint256 count;

    /// @notice postcondition count == before(count) + 1
    event Counted();

    /// @notice emits Counted
    function rush(uint256 n) public {
        for (uint256 i = 0; i < n; i++) count++;
        count++;
        emit Counted();
    }
}
