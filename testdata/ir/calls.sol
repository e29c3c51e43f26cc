// args: --contract Caller
// External calls: what is checked before, how results are decoded, try and catch, creation.
pragma solidity ^0.8.0;

interface Other {
    function get(uint256 key) external view returns (uint256);
}

contract Child {
    uint256 public immutable seed;

    constructor(uint256 s) payable {
        seed = s;
    }
}

contract Caller {
    function ask(Other other, uint256 key) external view returns (uint256) {
        return other.get(key);
    }

    function tryAsk(Other other, uint256 key) external view returns (uint256) {
        try other.get(key) returns (uint256 found) {
            return found;
        } catch Error(string memory) {
            return 1;
        } catch {
            return 2;
        }
    }

    function make(uint256 s) external payable returns (Child) {
        return new Child{value: msg.value}(s);
    }

    function send(address payable to) external {
        to.transfer(1);
    }
}
