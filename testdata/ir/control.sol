// Loops with break and continue, short-circuit evaluation, ternaries, tuples, evaluation order.
pragma solidity ^0.8.0;

contract Control {
    uint256 calls;

    function tick() internal returns (uint256) {
        return ++calls;
    }

    function loop(uint256 n) external returns (uint256 sum) {
        for (uint256 i = 0; i < n; i++) {
            if (i == 3) continue;
            if (sum > 100 || tick() > 9) break;
            sum += i;
        }
        while (sum % 2 == 1) sum--;
        do {
            sum++;
        } while (sum < 5);
    }

    function choose(bool c) external returns (uint256 a, uint256 b) {
        (a, b) = c ? (tick(), calls) : (calls, tick());
        (a, b) = (b, a);
    }
}
