// fails: Registry.silent Registry.undeclared Registry.wrongValue Registry.lowers
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

    /// @notice emits Raised
    function lowers(uint256 value) public {
        values[msg.sender] = value;
        emit Raised(msg.sender, value);
    }
}
