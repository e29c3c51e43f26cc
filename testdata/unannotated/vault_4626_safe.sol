// Shares of a vault: what is taken out rounds in favour of those who stay.
// needs: totalShares <= totalAssets <= a million; sum(shares) == totalShares
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Vault {
    uint256 constant MOST = 1000000;
    mapping(address => uint256) shares;
    uint256 totalShares;
    uint256 totalAssets;

    function deposit(uint256 assets) external {
        require(assets <= MOST - totalAssets);
        uint256 minted = totalShares == 0 ? assets : (assets * totalShares) / totalAssets;
        shares[msg.sender] += minted;
        totalShares += minted;
        totalAssets += assets;
    }

    function donate(uint256 assets) external {
        require(assets <= MOST - totalAssets);
        totalAssets += assets;
    }

    function withdraw(uint256 assets) external {
        require(totalShares > 0 && assets <= totalAssets);
        uint256 assetsBefore = totalAssets;
        uint256 sharesBefore = totalShares;
        uint256 burned = (assets * totalShares + totalAssets - 1) / totalAssets;
        require(burned <= shares[msg.sender]);
        shares[msg.sender] -= burned;
        totalShares -= burned;
        totalAssets -= assets;
        assert(totalAssets * sharesBefore >= assetsBefore * totalShares);
    }
}
