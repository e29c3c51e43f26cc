// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

/// @notice precondition x == 1
/// @notice postcondition r == 1
function one(uint256 x) pure returns (uint256 r) {
    return x;
}

contract User {
    function f() public pure {
        assert(one(1) == 1);
    }
}

abstract contract Base {
    uint256 x;

    function f() public virtual {
        x = 0;
    }
}

/// @notice invariant x == 0
contract Derived is Base {
    function f() public override {
        super.f();
    }
}

/// @notice invariant true
contract Payee {
    /// @notice postcondition address(this).balance == old(address(this).balance) + msg.value
    function got() public payable {}

    /// @notice postcondition address(this).balance >= old(address(this).balance)
    function more() public payable {}

    function twice() public payable {
        more();
    }
}

contract Promise {
    uint256 y;

    /// @notice postcondition y == 1
    /// @notice succeeds-if x > 5
    function picky(uint256 x) internal {
        require(x > 5);
        y = 1;
    }

    /// @notice succeeds-if msg.value == 0
    function run() public {
        picky(6);
    }
}

contract Own {
    uint256 x;
    int256 y;

    function inner(uint256 n) public {
        x = 5;
        later(n);
    }

    function later(uint256 n) internal view {
        /// @notice invariant old(x) == 5 && old(n) == n
        for (uint256 i = 0; i < n; i++) {}
    }

    function store(int256 value) public {
        y = value;
    }

    function convert() public returns (bool ok) {
        y = 1;
        (ok, ) = address(this).call(abi.encodeWithSelector(this.store.selector, int256(2)));
        assert(y >= 0);
    }
}
