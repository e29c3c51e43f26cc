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

// What a contract has created runs its own code, until others get hold of it.
contract Maker {
    Part kept;
    uint256 calls;
    bool telling;

    function called() external {
        calls = 1;
        assert(!telling); // open
    }

    // The hook counts.
    function shown(IHook hook) external {
        Part part = new Part();
        part.add();
        hook.made(address(part));
        assert(part.count() == 1); // open
    }

    function unseen(IHook hook) external {
        Part part = new Part();
        part.add();
        assert(part.count() == 1);
        hook.made(address(this));
        // Anybody can find out where it is.
        assert(part.count() == 1); // open
    }

    // The part itself gives control away.
    function told(IHook hook) external {
        Part part = new Part();
        calls = 0;
        telling = true;
        part.tell(hook);
        telling = false;
        assert(calls == 0); // open
    }

    function keep() external {
        kept = new Part();
        assert(kept.count() == 0);
    }

    // Others have counted in between.
    function look() external view {
        require(address(kept) != address(0));
        assert(kept.count() == 0); // open
    }

    // What is at an address that somebody names need not be a part.
    function named(Part part) external {
        assert(part.count() == part.count()); // open
    }
}
