// A loan within one call must be back at its end, and a deposit does not count as paying back.
// breaks: deploy; alice: deposit{5}(); eve: loan(5) [deposit{5}()]; audit()
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract FlashPool {
    mapping(address => uint256) shares;
    uint256 total;
    bool lending;

    function deposit() external payable {
        shares[msg.sender] += msg.value; // reverts
        total += msg.value; // reverts
    }

    function withdraw(uint256 amount) external {
        require(!lending && amount <= shares[msg.sender]);
        shares[msg.sender] -= amount;
        total -= amount; // reverts
        payable(msg.sender).transfer(amount); // reverts
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
        assert(address(this).balance >= total); // violated
    }
}
