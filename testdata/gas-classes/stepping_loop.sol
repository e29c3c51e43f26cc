// fork: byzantium
// A loop whose steps have two sizes, behind a payment.
pragma solidity ^0.5.0;

contract SteppingLoop {
    int z;

    function g(int x, int y) public payable {
        if (x >= y) {
            if (y >= 0) z = x + y;
            require(msg.sender.send(uint(z)));
        }
        z = f(x, y);
    }

    function f(int a, int b) internal pure returns (int) {
        int i = 0;
        while (i < a + b) {
            if (i < a) i = i + a;
            else i = i + b;
        }
        return i;
    }
}
