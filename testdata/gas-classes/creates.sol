// A contract that makes others: what their constructors and their code cost is theirs, the making is not.
pragma solidity ^0.8.0;

contract Made {
    uint256 kept;

    constructor(uint256 n) payable {
        kept = n;
    }
}

contract Maker {
    Made last;

    function make(uint256 n) external payable {
        last = new Made{value: msg.value}(n);
    }
}
