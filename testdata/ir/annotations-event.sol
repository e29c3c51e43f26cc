pragma solidity ^0.8.0;

// Events that report on data.

contract Registry {
    struct Entry { bool set; int data; }
    mapping(address => Entry) entries;
    uint count;

    /// @notice tracks-changes-in entries
    /// @notice tracks-changes-in count
    /// @notice precondition !entries[at].set
    /// @notice postcondition entries[at].set && entries[at].data == value && __verifier_before_uint(count) + 1 == count
    event Added(address indexed at, int value);

    /// @notice tracks-changes-in count
    /// @notice allow-no-change-emit
    /// @notice postcondition bytes(name).length > before(count)
    event Named(string name);

    /// @notice emits Added
    /// @notice emits Registry.Named
    function add(int value) public {
        require(!entries[msg.sender].set);
        entries[msg.sender] = Entry(true, value);
        count++;
        emit Added(msg.sender, value);
    }
}
