// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

/// @notice invariant property(list) (i) list[i] > 0
/// @notice invariant forall (address a) !member[a] || joined[a] > 0
contract Lists {
    uint256[] public list;
    mapping(address => bool) public member;
    mapping(address => uint256) public joined;

    function add(uint256 x) public {
        require(x > 0);
        list.push(x);
    }

    function join() public {
        require(block.number > 0);
        joined[msg.sender] = block.number;
        member[msg.sender] = true;
    }

    /// @notice postcondition !found || (exists (uint i) i < list.length && list[i] == x)
    function contains(uint256 x) public view returns (bool found) {
        /// @notice invariant !found
        for (uint256 i = 0; i < list.length; i++) {
            if (list[i] == x) return true;
        }
    }

    function clear(uint256 at) public {
        require(at < list.length);
        delete list[at];
    }
}
