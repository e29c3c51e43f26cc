// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.10;

interface Oracle {
    function price() external returns (uint256);
    function refresh() external;
}

// needs: at the zero address there is no code, and nothing comes back from it
contract Asking {
    Oracle oracle;
    bool locked = true;
    uint256 open;

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
        assert(locked);
        assert(open == 0);
    }
}
