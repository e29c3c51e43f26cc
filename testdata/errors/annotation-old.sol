pragma solidity ^0.8.0;

contract C {
    uint[] list;
    mapping(uint => uint) notes;
    struct S { uint a; }
    S pair;
    /// @notice postcondition old(list)[0] == list[0]
    /// @notice postcondition old(list).length == list.length
    /// @notice postcondition old(notes)[k] == notes[k]
    /// @notice postcondition old(pair).a == pair.a
    /// @notice postcondition (k > 0 ? old(list) : list)[0] == 0
    /// @notice postcondition old(list[0]) == list[0] && old(notes[k]) == notes[k] && old(pair.a) == pair.a
    function f(uint k) public { notes[k] = 1; }
}
