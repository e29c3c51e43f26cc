// Powers cost by the bytes of their exponent where the machine computes them, and by its bits where checked code multiplies.
pragma solidity ^0.8.0;

contract Powers {
    function wide(uint24 e) external pure returns (uint256) {
        unchecked { return 3 ** e; }
    }

    function narrow(uint256 b, uint8 e) external pure returns (uint256) {
        unchecked { return b ** e; }
    }

    function always(uint256 b) external pure returns (uint256) {
        unchecked { return b ** 7; }
    }
}
