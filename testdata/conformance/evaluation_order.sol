contract C {
    uint256 public calls;

    function note(uint256 digit) internal returns (uint256) {
        calls = calls * 10 + digit;
        return digit;
    }

    function reset() internal {
        calls = 0;
    }

    function operands() external returns (uint256, uint256) {
        reset();
        uint256 difference = note(9) - note(4);
        return (difference, calls);
    }

    function arguments() external returns (uint256, uint256) {
        reset();
        uint256 result = pick(note(1), note(2), note(3));
        return (result, calls);
    }

    function pick(uint256 a, uint256 b, uint256 c) internal pure returns (uint256) {
        return a * 100 + b * 10 + c;
    }

    function assignment() external returns (uint256, uint256) {
        reset();
        uint256[10] memory slots;
        slots[note(5)] = note(6);
        return (slots[5], calls);
    }

    function swapped() external pure returns (uint256 a, uint256 b) {
        (a, b) = (1, 2);
        (a, b) = (b, a);
    }

    function shortCircuit(bool first) external returns (bool, uint256) {
        reset();
        bool result = first || note(7) == 7;
        return (result, calls);
    }

    function named() external returns (uint256, uint256) {
        reset();
        uint256 result = pick({c: note(3), a: note(1), b: note(2)});
        return (result, calls);
    }

    function options() external returns (uint256) {
        reset();
        this.paid{gas: 50000 + note(1), value: note(2) - 2}(note(3));
        this.paid{value: note(4) - 4, gas: 50000 + note(5)}(note(6));
        return calls;
    }

    function paid(uint256) external payable {}
}
// ----
// operands() -> 5, 49
// arguments() -> 123, 123
// assignment() -> 6, 65
// swapped() -> 2, 1
// shortCircuit(bool): true -> true, 0
// shortCircuit(bool): false -> true, 7
// named() -> 123, 123
// options() -> 123456
