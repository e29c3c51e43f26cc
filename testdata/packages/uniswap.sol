// SPDX-License-Identifier: MIT
pragma solidity ^0.5.16;

import "uniswap-v2-open/contracts/UniswapV2ERC20.sol";
import "uniswap-v2-open/contracts/UniswapV2Factory.sol";
import "uniswap-v2-open/contracts/UniswapV2Pair.sol";

contract PoolCoin is UniswapV2ERC20 {
    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    function burn(address from, uint256 amount) external {
        _burn(from, amount);
    }
}

contract PoolFactory is UniswapV2Factory {
    constructor() public UniswapV2Factory(msg.sender) {}
}

/// A pair with two coins of its own, which is its own factory.
contract Pool is UniswapV2Pair {
    address public feeTo;

    constructor() public {
        factory = address(this);
        token0 = address(new PoolCoin());
        token1 = address(new PoolCoin());
    }

    function setFeeTo(address to) external {
        feeTo = to;
    }

    function fund(uint96 a, uint96 b) external {
        PoolCoin(token0).mint(address(this), a);
        PoolCoin(token1).mint(address(this), b);
    }
}
