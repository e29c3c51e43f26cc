pragma solidity ^0.4.0;

// What fails here takes all the gas there is.
contract Old {
    uint public x;

    function half(uint n) public {
        assert(n % 2 == 0);
        x = n / 2;
    }

    function () public payable {}
}
