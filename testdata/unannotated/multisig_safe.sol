// Two of three owners must agree, and one owner is not two.
// needs: for every id: count[id] is the number of owners with confirmed[id][owner]
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Multisig {
    address immutable a;
    address immutable b;
    address immutable c;
    mapping(uint256 => mapping(address => bool)) confirmed;
    mapping(uint256 => uint8) count;
    mapping(uint256 => bool) public executed;

    constructor(address first, address second, address third) {
        require(first != second && second != third && first != third);
        a = first;
        b = second;
        c = third;
    }

    function confirm(uint256 id) external {
        require(msg.sender == a || msg.sender == b || msg.sender == c);
        require(!confirmed[id][msg.sender]);
        confirmed[id][msg.sender] = true;
        count[id]++;
    }

    function execute(uint256 id) external {
        require(count[id] >= 2 && !executed[id]);
        executed[id] = true;
        bool x = confirmed[id][a];
        bool y = confirmed[id][b];
        bool z = confirmed[id][c];
        assert((x && y) || (y && z) || (x && z));
    }
}
