// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Registry {
    mapping(address => uint256) values;

    /// @notice tracks-changes-in values
    /// @notice precondition values[who] < value
    /// @notice postcondition values[who] == value
    /// @notice postcondition __verifier_before_uint(values[who]) < values[who]
    event Raised(address who, uint256 value);

    /// @notice emits Raised
    function raise(uint256 value) public {
        require(values[msg.sender] < value);
        values[msg.sender] = value;
        emit Raised(msg.sender, value);
    }

    /// @notice emits Raised
    function raiseTwice(uint256 value) public {
        require(values[msg.sender] < value && value < type(uint256).max);
        values[msg.sender] = value;
        emit Raised(msg.sender, value);
        values[msg.sender] = value + 1;
        emit Raised(msg.sender, value + 1);
    }

    /// @notice emits Raised
    function asks(uint256 value, address other) public returns (bool ok) {
        require(values[msg.sender] < value);
        values[msg.sender] = value;
        emit Raised(msg.sender, value);
        (ok, ) = other.call("");
    }

    function valueOf(address who) public view returns (uint256) {
        return values[who];
    }
}

contract Counter {
    uint256 count;

    /// @notice postcondition count == before(count) + 1
    event Counted();

    /// @notice emits Counted
    function walk(uint256 n) public {
        require(count < 100);
        count++;
        emit Counted();
        for (uint256 i = 0; i < n; i++) {
            uint256 next = count + 1;
            require(next > i);
        }
        count++;
        emit Counted();
    }
}
