// fails: User.one Derived.f Payee.got Payee.free Promise.run Promise.run2 Promise.hidden Frame.set Own.h Own.convert
// undecided: Value.call Stop.f
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

/// @notice postcondition r == 1
function one(uint256 x) pure returns (uint256 r) {
    return x;
}

contract User {
    function f() public pure {
        assert(one(2) == 1);
    }
}

abstract contract Base {
    uint256 x;

    function f() public virtual {
        x = 7;
    }
}

/// @notice invariant x == 0
contract Derived is Base {
    function f() public override {
        super.f();
    }
}

/// A function that is also called from inside: no ether comes with it, and no guard stands before it.
/// @notice invariant true
contract Payee {
    /// @notice postcondition address(this).balance == old(address(this).balance) + msg.value
    function got() public payable {}

    function twice() public payable {
        got();
    }

    function free() public {
        nothing();
    }

    function nothing() internal {
        assert(msg.value == 0);
    }

    function paid() public payable {
        free();
    }
}

contract Promise {
    uint256 y;

    /// @notice postcondition y == 1
    function picky(uint256 x) internal {
        require(x > 5);
        y = 1;
    }

    /// @notice succeeds-if msg.value == 0
    function run() public {
        picky(2);
    }

    function never(uint256) internal pure {
        revert();
    }

    /// @notice succeeds-if msg.value == 0
    function run2() public {
        function(uint256) internal f = never;
        f(y);
    }

    /// @notice succeeds-if true
    function hidden() internal view {
        require(y > 0);
    }

    function shown() public view {
        hidden();
    }
}

contract Value {
    /// @notice precondition x > 0
    function positive(uint256 x) internal pure {
        assert(x > 0);
    }

    function call() public pure {
        function(uint256) internal pure f = positive;
        f(0);
        assert(true);
    }
}

contract Stop {
    uint256 x;

    /// @notice postcondition x == old(x)
    function stop() internal {
        assembly {
            stop()
        }
    }

    /// @notice postcondition x == 1
    function f() public {
        x = 2;
        stop();
        x = 1;
    }
}

library Boxes {
    struct Box {
        uint256 v;
    }

    /// @notice postcondition true
    function fill(Box storage box) internal {
        box.v = 7;
    }
}

/// What functions of the library modify they need not say.
contract Frame {
    Boxes.Box box;
    uint256 z;

    /// @notice modifies z
    function other() public {
        z = 1;
    }

    /// @notice modifies box
    function set() public {
        box.v = 1;
        Boxes.fill(box);
        assert(box.v == 1);
    }
}

contract Own {
    uint256 x;
    int256 y;

    function g(uint256 n) public {
        x = 5;
        h(n);
    }

    /// @notice precondition x >= 5
    function h(uint256 n) internal {
        inner(n);
    }

    function inner(uint256 n) internal {
        x = 5;
        later(n);
    }

    function later(uint256 n) internal view {
        /// @notice invariant old(x) > 5
        for (uint256 i = 0; i < n; i++) {}
    }

    function store(int256 value) public {
        y = value;
    }

    function convert() public returns (bool ok) {
        y = 1;
        (ok, ) = address(this).call(abi.encodeWithSelector(this.store.selector, type(uint256).max));
        assert(y >= 0);
    }
}
