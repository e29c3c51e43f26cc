// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

// needs: a failed assertion undoes the call that it is in, and whoever tries that call goes on; this one never fails
contract CaughtAssertion {
    bool failed;

    function check(uint256 x) external pure {
        assert(x % 10 < 10);
    }

    function attempt(uint256 x) public {
        try this.check(x) {}
        catch Panic(uint256) {
            failed = true;
        } catch {}
    }

    function look() public view {
        assert(!failed);
    }
}
