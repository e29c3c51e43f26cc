// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

interface IHook {
    function made(address what) external;
}

contract Part {
    uint256 public count;

    function add() external {
        unchecked {
            count += 1;
        }
    }

    function tell(IHook hook) external {
        hook.made(address(this));
    }
}

// What a contract has created runs its own code, and nobody else's.
contract Maker {
    Part kept;
    uint256 calls;
    bool telling;

    function called() external {
        calls = 1;
        assert(calls == 1);
    }

    // Who is only looked at hears nothing of it.
    function shown(Part other) external {
        Part part = new Part();
        part.add();
        other.count();
        assert(part.count() == 1);
    }

    function unseen(IHook hook) external {
        Part part = new Part();
        part.add();
        assert(part.count() == 1);
        hook.made(address(part));
    }

    // The part does not give control away.
    function told() external {
        Part part = new Part();
        calls = 0;
        telling = true;
        part.add();
        telling = false;
        assert(calls == 0);
    }

    function keep() external {
        kept = new Part();
        assert(kept.count() == 0);
    }

    function again() external {
        Part first = new Part();
        Part second = new Part();
        second.add();
        assert(address(first) != address(second));
        assert(first.count() == 0);
    }

    // Somebody names a part that there is already.
    function named(Part other) external {
        Part part = new Part();
        require(other != part);
        assert(part.count() == 0);
    }
}
