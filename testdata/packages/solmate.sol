// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {ERC20} from "solmate/src/tokens/ERC20.sol";
import {ERC721} from "solmate/src/tokens/ERC721.sol";
import {ERC1155} from "solmate/src/tokens/ERC1155.sol";
import {ERC4626} from "solmate/src/tokens/ERC4626.sol";
import {Owned} from "solmate/src/auth/Owned.sol";

contract LeanCoin is ERC20("Lean", "L", 18) {
    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    function burn(address from, uint256 amount) external {
        _burn(from, amount);
    }
}

contract LeanTickets is ERC721("Lean", "L") {
    function mint(address to, uint256 id) external {
        _mint(to, id);
    }

    function burn(uint256 id) external {
        _burn(id);
    }

    function tokenURI(uint256) public pure override returns (string memory) {
        return "";
    }
}

contract LeanItems is ERC1155 {
    function mint(address to, uint256 id, uint256 amount) external {
        _mint(to, id, amount, "");
    }

    function uri(uint256) public pure override returns (string memory) {
        return "";
    }
}

contract LeanVault is ERC4626 {
    constructor() ERC4626(new LeanCoin(), "Vault", "V") {}

    function totalAssets() public view override returns (uint256) {
        return asset.balanceOf(address(this));
    }
}

contract LeanOwned is Owned(msg.sender) {
    uint256 public n;

    function set(uint256 m) external onlyOwner {
        n = m;
    }
}
