// call: add(200, 55)
// call: add(200, 56)
// call: wrap(200, 56)
// call: divide(7, 0)
// call: divide(-7, 2)
// call: shift(-128, 1)
// call: power(2, 7)
// call: power(2, 8)
// evm
pragma solidity ^0.8.0;

contract Arithmetic {
    function add(uint8 a, uint8 b) external pure returns (uint8) {
        return a + b;
    }

    function wrap(uint8 a, uint8 b) external pure returns (uint8) {
        unchecked {
            return a + b;
        }
    }

    function divide(int256 a, int256 b) external pure returns (int256, int256) {
        return (a / b, a % b);
    }

    function shift(int8 a, uint8 n) external pure returns (int8) {
        return a >> n;
    }

    function power(uint8 a, uint8 n) external pure returns (uint8) {
        return a ** n;
    }
}
