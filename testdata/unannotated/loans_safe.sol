// A loan is closed when it is paid, and nobody pays more than was lent.
// needs: for every loan: repaid <= principal, and open implies repaid < principal
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Loans {
    struct Loan {
        address debtor;
        uint128 principal;
        uint128 repaid;
        bool open;
    }

    mapping(uint256 => Loan) loans;
    uint256 count;

    function borrow(uint128 amount) external {
        require(amount > 0 && amount <= 1000 && count < 1000000);
        loans[count] = Loan(msg.sender, amount, 0, true);
        count++;
    }

    function repay(uint256 id, uint128 amount) external {
        Loan storage loan = loans[id];
        require(loan.open && loan.debtor == msg.sender);
        require(amount <= loan.principal - loan.repaid);
        loan.repaid += amount;
        if (loan.repaid >= loan.principal) loan.open = false;
    }

    function audit(uint256 id) external view {
        assert(loans[id].repaid <= loans[id].principal);
    }
}
