// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

// A contract has no code before its constructor ends: calls of itself do nothing, and nothing comes back.
contract Eager {
    uint256 calls;

    constructor() {
        (bool ok, bytes memory answer) = address(this).call(abi.encodeWithSignature("count()"));
        assert(ok);
        assert(answer.length == 0);
        assert(calls == 0);
    }

    function count() external returns (uint256) {
        calls = 1;
        return calls;
    }
}

// So this one is never deployed.
contract Impatient {
    uint256 first = this.next(1);

    function next(uint256 x) external pure returns (uint256) {
        return x + 1;
    }

    function check() external view {
        assert(first == 3);
    }
}
