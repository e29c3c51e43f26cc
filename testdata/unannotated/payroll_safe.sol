// A loop pays everybody on the list, if the budget covers the bill.
// needs: sum(wages) == bill; paid + budget == provided; in the loop: what is paid so far is the sum so far
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Payroll {
    address immutable owner = msg.sender;
    address[] staff;
    uint256[] wages;
    uint256 bill;
    uint256 budget;
    uint256 paid;
    uint256 provided;
    mapping(address => uint256) account;

    modifier onlyOwner() {
        require(msg.sender == owner);
        _;
    }

    function topUp(uint256 amount) external onlyOwner {
        require(amount <= 1000 && provided <= 1000000);
        provided += amount;
        budget += amount;
    }

    function hire(address who, uint256 wage) external onlyOwner {
        require(wage > 0 && wage <= 10 && staff.length < 20);
        staff.push(who);
        wages.push(wage);
        bill += wage;
    }

    function setWage(uint256 i, uint256 wage) external onlyOwner {
        require(wage > 0 && wage <= 10 && i < wages.length);
        bill = bill - wages[i] + wage;
        wages[i] = wage;
    }

    function payDay() external onlyOwner {
        require(bill <= budget);
        for (uint256 i = 0; i < staff.length; i++) {
            account[staff[i]] += wages[i];
            paid += wages[i];
        }
        budget -= bill;
    }

    function audit() external view {
        assert(paid <= provided); // undecided
    }
}
