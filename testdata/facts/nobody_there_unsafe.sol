// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.10;

interface Oracle {
    function price() external returns (uint256);
    function refresh() external;
}

// breaks: set(eve); eve: tell() [look()]
// breaks: set(eve); attempt() [-> fail]; look()
contract Asking {
    Oracle oracle;
    bool locked = true;
    uint256 open;

    function set(Oracle chosen) public {
        oracle = chosen;
    }

    function ask() public returns (uint256) {
        locked = false;
        uint256 price = oracle.price();
        locked = true;
        return price;
    }

    function tell() public {
        locked = false;
        oracle.refresh();
        locked = true;
    }

    function attempt() public {
        try oracle.refresh() {
            open = 1;
        } catch {
            open = 2;
        }
    }

    function look() public view {
        assert(locked); // violated
        assert(open == 0); // violated
    }
}
