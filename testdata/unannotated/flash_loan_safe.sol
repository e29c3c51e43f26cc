// A loan within one call must be back at its end, and a deposit does not count as paying back.
// needs: address(this).balance + lent >= total, and no deposits or withdrawals while lending
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract FlashPool {
    mapping(address => uint256) shares;
    uint256 total;
    bool lending;

    function deposit() external payable {
        require(!lending);
        shares[msg.sender] += msg.value;
        total += msg.value;
    }

    function withdraw(uint256 amount) external {
        require(!lending && amount <= shares[msg.sender]);
        shares[msg.sender] -= amount;
        total -= amount;
        payable(msg.sender).transfer(amount);
    }

    receive() external payable {}

    function loan(uint256 amount) external {
        require(!lending && amount <= address(this).balance);
        uint256 before = address(this).balance;
        lending = true;
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok && address(this).balance >= before);
        lending = false;
    }

    function audit() external view {
        require(!lending);
        assert(address(this).balance >= total);
    }
}
