// fork: byzantium
// Two writes to the same variable by one function: with the prices of that time, what counts is whether nothing becomes
// something.
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
