// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC20} from "oz5/token/ERC20/ERC20.sol";
import {ERC20Burnable} from "oz5/token/ERC20/extensions/ERC20Burnable.sol";
import {ERC20Capped} from "oz5/token/ERC20/extensions/ERC20Capped.sol";
import {ERC20Pausable} from "oz5/token/ERC20/extensions/ERC20Pausable.sol";
import {ERC4626} from "oz5/token/ERC20/extensions/ERC4626.sol";
import {ERC721} from "oz5/token/ERC721/ERC721.sol";
import {ERC721Enumerable} from "oz5/token/ERC721/extensions/ERC721Enumerable.sol";
import {ERC1155} from "oz5/token/ERC1155/ERC1155.sol";
import {ERC1155Supply} from "oz5/token/ERC1155/extensions/ERC1155Supply.sol";

contract Coin is ERC20, ERC20Burnable {
    constructor() ERC20("Coin", "C") {
        _mint(msg.sender, 1e24);
    }
}

contract CappedCoin is ERC20Capped, ERC20Pausable {
    constructor() ERC20("Capped", "CAP") ERC20Capped(1e20) {}

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    function stop() external {
        _pause();
    }

    function go() external {
        _unpause();
    }

    function _update(address from, address to, uint256 amount) internal override(ERC20Capped, ERC20Pausable) {
        super._update(from, to, amount);
    }
}

contract Shares is ERC4626 {
    constructor() ERC20("Shares", "S") ERC4626(new Coin()) {}
}

contract Tickets is ERC721Enumerable {
    constructor() ERC721("Tickets", "T") {}

    function mint(address to, uint256 id) external {
        _mint(to, id);
    }

    function burn(uint256 id) external {
        _burn(id);
    }
}

contract Items is ERC1155Supply {
    constructor() ERC1155("ipfs://items") {}

    function mint(address to, uint256 id, uint256 amount) external {
        _mint(to, id, amount, "");
    }

    function mintMany(address to, uint256[] memory ids, uint256[] memory amounts) external {
        _mintBatch(to, ids, amounts, "");
    }
}
