// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

// breaks: attempt(10)
// breaks: attempt(10); look()
contract CaughtAssertion {
    bool failed;

    function check(uint256 x) external pure {
        assert(x < 10); // violated
    }

    function attempt(uint256 x) public {
        try this.check(x) {}
        catch Panic(uint256) {
            failed = true;
        } catch {}
    }

    function look() public view {
        assert(!failed); // violated
    }
}
