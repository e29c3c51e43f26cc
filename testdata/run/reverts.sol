// call: plain()
// call: reason(1)
// call: custom(7)
// call: index(3)
// call: empty()
// call: convert(2)
// call: convert(3)
// call: fallback(hex"deadbeef")
// call: receive{value: 1}()
pragma solidity ^0.8.0;

contract Reverts {
    error Refused(uint256 code, address who);
    enum Mode { A, B, C }
    uint256[] list;

    function plain() external pure {
        revert();
    }

    function reason(uint256 x) external pure {
        require(x == 0, "x is not zero");
    }

    function custom(uint256 code) external view {
        revert Refused(code, msg.sender);
    }

    function index(uint256 i) external view returns (uint256) {
        return list[i];
    }

    function empty() external {
        list.pop();
    }

    function convert(uint8 x) external pure returns (Mode) {
        return Mode(x);
    }
}
