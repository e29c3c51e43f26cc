// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

interface ICounter {
    function add(uint128 n) external;
    function count() external view returns (uint256);
}

contract Counter is ICounter {
    uint256 public count;
    address public immutable maker = msg.sender;

    function add(uint128 n) external {
        require(msg.sender == maker && n < 100);
        unchecked {
            count += n;
        }
    }
}

// needs: what was created in the same transaction runs its own code, under whatever type it is called
contract Workshop {
    function make(uint128 n) external {
        require(n < 50);
        ICounter counter = new Counter();
        counter.add(n);
        counter.add(1);
        assert(counter.count() == n + 1);
        assert(Counter(address(counter)).maker() == address(this));
    }

    function several(uint256 n) external {
        require(n < 10);
        Counter one = new Counter();
        Counter two = new Counter();
        for (uint256 i = 0; i < n; i++) {
            one.add(1);
        }
        assert(one.count() <= n && two.count() == 0);
    }
}
