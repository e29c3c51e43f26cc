// fork: byzantium
// measure: transaction
// The same with what is given back for clearing a slot: `z == -1` clears at the end what the first write left, `z == 0`
// clears at first what was there before. Of the seven combinations that are possible, two pairs cost the same: five classes
// of `f` besides the one with ether, three of `g`.
pragma solidity ^0.5.0;

contract SharedWriter {
    int a;

    function f(bool c, int z) public {
        if (c) {
            g(z);
            z = z + 1;
            g(z);
        }
    }

    function g(int u) public {
        a = u;
    }
}
