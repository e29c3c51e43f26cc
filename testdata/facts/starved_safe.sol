// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.10;

// needs: a call that ran out of gas leaves nothing behind, and says nothing
contract Starved {
    mapping(uint256 => bool) public done;
    mapping(uint256 => uint256) public paid;

    function pay(uint256 order) public {
        require(msg.sender == address(this));
        paid[order] = 7;
    }

    function settle(uint256 order) public {
        require(order < 100 && !done[order]);
        uint256 before = paid[order];
        try this.pay(order) {
            done[order] = true;
            assert(paid[order] == 7);
        } catch Error(string memory) {
            assert(false);
        } catch {
            assert(paid[order] == before && !done[order]);
        }
    }
}
