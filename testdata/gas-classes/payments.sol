// Who is called: somebody whom the transaction has met, somebody else, or an account that nobody has used yet.
pragma solidity ^0.8.0;

contract Payments {
    function pay(address payable to, uint256 amount) external {
        to.transfer(amount);
    }

    function twice(address payable to) external {
        to.transfer(1);
        to.transfer(2);
    }

    function look(address a, address b) external view returns (uint256) {
        return a.balance + b.balance;
    }
}
