// The rule for prices is an internal function that can be exchanged.
// breaks: deploy; owner: setSurcharge(); owner: setRate(60); alice: quote(100)
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Pricing {
    address immutable owner = msg.sender;
    uint256 rate;
    bool surcharge;

    function setRate(uint256 percent) external {
        require(msg.sender == owner && percent <= 100);
        rate = percent;
    }

    function setSurcharge() external {
        require(msg.sender == owner);
        surcharge = true;
    }

    function plain(uint256 amount) internal pure returns (uint256) {
        return amount;
    }

    function higher(uint256 amount) internal view returns (uint256) {
        return amount + (amount * rate) / 100;
    }

    function quote(uint256 amount) external view returns (uint256 price) {
        require(amount <= 100);
        function (uint256) internal view returns (uint256) rule = surcharge ? higher : plain;
        price = rule(amount);
        assert(price <= 150); // violated
    }
}
