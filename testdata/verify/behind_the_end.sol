// Statements that no way leads to hold whatever they say, and are told all the same.
// fails: Ends.branches
pragma solidity ^0.8.0;

contract Ends {
    function returns_first(uint256 x) external pure returns (uint256) {
        return x;
        assert(false);
    }

    function reverts_first(uint256 x) external pure {
        revert("no");
        x += 1;
        assert(x == 7);
    }

    function never_ends(uint256 x) external pure {
        while (true) {
            x = x / 2;
        }
        assert(x == 1);
    }

    function branches(uint256 x) external pure returns (uint256) {
        if (x > 10) {
            return 1;
            assert(x < 10);
        }
        assert(x < 10);
        return 0;
    }
}
