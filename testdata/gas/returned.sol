// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface Token {
    function balanceOf(address who) external view returns (uint256);
}

interface Receiver {
    function received(address from, bytes memory data) external returns (bytes4);

    function more() external returns (bool);
}

/// Lengths that others decide: what they give back, and what is inside of arguments.
contract Returned {
    Token token;
    uint256 rounds;

    constructor(Token t) {
        token = t;
    }

    function total() external view returns (uint256) {
        return token.balanceOf(address(this));
    }

    function pay(address to, bytes memory data) external {
        try Receiver(to).received(msg.sender, data) returns (bytes4 answer) {
            require(answer == Receiver.received.selector);
        } catch (bytes memory reason) {
            if (reason.length == 0) revert("no receiver");
            assembly {
                revert(add(32, reason), mload(reason))
            }
        }
    }

    function balances(address[] memory who, uint256[] memory add) external view returns (uint256[] memory sums) {
        require(who.length == add.length);
        sums = new uint256[](who.length);
        for (uint256 i = 0; i < who.length; i++) sums[i] = who[i].balance + add[i];
    }

    function count(bytes[] memory parts) external pure returns (uint256) {
        return parts.length;
    }

    /// How often is up to the other one, so nothing bounds it.
    function asLongAs(Receiver other) external {
        while (other.more()) rounds++;
    }
}
