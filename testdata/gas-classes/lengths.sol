// What is hashed, logged, copied or made anew costs by its length.
pragma solidity ^0.8.0;

contract Lengths {
    event Said(bytes what);
    event Listed(uint256[] numbers);

    function hash(bytes calldata data) external pure returns (bytes32) {
        return keccak256(data);
    }

    function log(bytes calldata data) external {
        require(data.length <= 64);
        emit Said(data);
    }

    function list(uint256[] memory numbers) external {
        require(numbers.length <= 2);
        emit Listed(numbers);
    }

    function make(uint256 n) external pure returns (uint256) {
        require(n <= 2);
        return new uint256[](n).length;
    }

    // Nothing is copied: what it costs does not depend on how long the data is.
    function first(bytes calldata data) external pure returns (uint256) {
        return data.length;
    }

    function word(bytes32 w) external pure returns (bytes32) {
        return keccak256(abi.encode(w, w));
    }
}
