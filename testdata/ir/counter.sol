// The smallest whole contract: state, checked arithmetic, a require with its payload, a getter.
pragma solidity ^0.8.0;

contract Counter {
    uint256 public count;

    function add(uint256 n) external {
        require(n > 0, "nothing to add");
        count += n;
    }
}
