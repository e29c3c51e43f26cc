// args: --contract Derived
// Initialisers, base constructors and modifiers end up in one procedure each; `super` is resolved.
pragma solidity ^0.8.0;

contract Base {
    uint256 internal a = 1;

    constructor(uint256 start) {
        a = start;
    }

    modifier positive(uint256 n) {
        require(n > 0);
        _;
    }

    function set(uint256 n) public virtual {
        a = n;
    }
}

contract Derived is Base {
    uint256 b = a + 1;

    constructor() Base(5) {
        b++;
    }

    function set(uint256 n) public override positive(n) {
        super.set(n);
    }
}
