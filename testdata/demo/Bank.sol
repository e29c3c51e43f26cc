// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.20;

/// Fees in hundredths of a percent, rounded down.
library Fees {
    uint256 internal constant WHOLE = 10_000;

    function share(uint256 amount, uint16 rate) internal pure returns (uint256) {
        return amount * rate / WHOLE;
    }
}

abstract contract Owned {
    address public immutable owner;

    error NotOwner(address caller);

    constructor() {
        owner = msg.sender;
    }

    modifier onlyOwner() {
        if (msg.sender != owner) revert NotOwner(msg.sender);
        _;
    }
}

/// A small bank: deposits, transfers with a fee, withdrawals, standing notes.
contract Bank is Owned {
    using Fees for uint256;

    enum Status { Unknown, Open, Closed }

    struct Account {
        uint128 balance;
        Status status;
        string note;
        uint64[] history;
    }

    event Deposited(address indexed who, uint256 amount);
    event Moved(address indexed from, address indexed to, uint256 amount, uint256 fee);

    error Insufficient(uint256 has, uint256 needs);

    mapping(address => Account) private accounts;
    uint256 public total;
    uint256 public earned;
    uint16 public rate;

    constructor(uint16 rate_) {
        require(rate_ <= 500, "fee above 5%");
        rate = rate_;
    }

    function deposit() external payable {
        Account storage account = accounts[msg.sender];
        if (account.status == Status.Unknown) account.status = Status.Open;
        require(account.status == Status.Open, "account is closed");
        account.balance += uint128(msg.value);
        account.history.push(uint64(msg.value));
        total += msg.value;
        emit Deposited(msg.sender, msg.value);
    }

    function transfer(address to, uint128 amount) external {
        uint256 fee = uint256(amount).share(rate);
        Account storage source = accounts[msg.sender];
        if (source.balance < amount) revert Insufficient(source.balance, amount);
        source.balance -= amount;
        accounts[to].balance += amount - uint128(fee);
        earned += fee;
        emit Moved(msg.sender, to, amount, fee);
    }

    function withdraw(uint128 amount) external returns (uint128 left) {
        Account storage account = accounts[msg.sender];
        account.balance -= amount;
        total -= amount;
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "the money did not go through");
        return account.balance;
    }

    function setNote(string calldata note) external {
        accounts[msg.sender].note = string.concat("note: ", note);
    }

    function account(address who) external view returns (Account memory) {
        return accounts[who];
    }

    function lastDeposit(address who, uint256 back) external view returns (uint64) {
        uint64[] storage history = accounts[who].history;
        return history[history.length - 1 - back];
    }

    function collect(address payable to) external onlyOwner returns (uint256 amount) {
        amount = earned;
        earned = 0;
        total -= amount;
        to.transfer(amount);
    }

    function digest(bytes memory data, int8 seed) external pure returns (bytes32, int8) {
        unchecked {
            seed = seed * 3 - 1;
        }
        return (keccak256(abi.encodePacked(data, seed)), seed);
    }
}
