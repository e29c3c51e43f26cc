// call: fire{value: 3, from: bob}(carol, 12, "hello")
// call: silent()
// evm
pragma solidity ^0.8.0;

contract Events {
    event Fired(address indexed who, uint256 indexed n, string text, uint256 value);
    event Anonymous(uint256 n) anonymous;

    function fire(address who, uint256 n, string calldata text) external payable {
        emit Fired(who, n, text, msg.value);
        emit Anonymous(n);
    }

    function silent() external {
        this.fire(address(this), 1, "inner");
    }
}
