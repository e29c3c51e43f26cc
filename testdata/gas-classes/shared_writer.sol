// fork: byzantium
// Two writes to the same variable by one function: with the prices of that time, what counts is whether nothing becomes
// something. Four combinations are possible: not `c`; `a` and `z` are such that the first write makes something; it leaves
// nothing (`z == 0`), so that the second does; neither does. `z == -1` is no combination of its own: to write zero costs the
// same as any other write that makes nothing new. Two of the four cost the same.
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
