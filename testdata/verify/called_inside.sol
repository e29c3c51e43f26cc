// Public functions that are called from inside, in the middle of something.
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

/// The ether is there already when `deposit` is called from inside.
/// @notice invariant sum(credits) <= address(this).balance
contract Till {
    mapping(address => uint256) credits;

    function deposit() public payable {
        credits[msg.sender] += msg.value;
    }

    receive() external payable {
        deposit();
    }
}

contract Counter {
    uint256 steps;

    function step() public virtual {
        require(steps < 10);
        steps++;
    }
}

/// What is overridden is called by nobody else, whatever it was in the base.
/// @notice invariant own == steps && steps <= 10
contract Twice is Counter {
    uint256 own;

    function step() public virtual override {
        own++;
        super.step();
    }
}

/// Declared again without code: what the base does is still what others call.
/// @notice invariant own == steps && steps <= 10
abstract contract Later is Twice {
    function step() public virtual override;
}

/// Each function that a value may be is followed.
/// @notice invariant rate <= 50
contract Prices {
    uint256 rate;
    bool surcharge;

    function choose(bool on) external {
        surcharge = on;
    }

    function plain(uint256 amount) internal pure returns (uint256) {
        return amount;
    }

    function raised(uint256 amount) internal view returns (uint256) {
        unchecked {
            return amount + rate;
        }
    }

    function quote(uint256 amount) external view returns (uint256 price) {
        require(amount <= 100);
        function(uint256) internal view returns (uint256) rule = surcharge ? raised : plain;
        price = rule(amount);
        assert(price <= 150);
    }
}
