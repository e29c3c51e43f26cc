// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity >=0.7.0;

/// Calls back whoever calls it, as it was told to.
contract HornetReentrant {
    address victim;
    uint256 next;
    bytes[] calls;
    uint256[] values;
    bytes reply;
    bool refuses;

    function arm(address victim_, bytes[] calldata calls_, uint256[] calldata values_, bytes calldata reply_, bool refuses_) external {
        victim = victim_;
        next = 0;
        delete calls;
        delete values;
        for (uint256 i = 0; i < calls_.length; i++) {
            calls.push(calls_[i]);
            values.push(values_[i]);
        }
        reply = reply_;
        refuses = refuses_;
    }

    fallback() external payable {
        if (next < calls.length) {
            uint256 i = next;
            next = i + 1;
            uint256 value = values[i] <= address(this).balance ? values[i] : 0;
            (bool ok, ) = victim.call{value: value}(calls[i]);
            ok;
        }
        require(!refuses);
        bytes memory answer = reply;
        assembly {
            return(add(answer, 32), mload(answer))
        }
    }
}

/// Only answers: also where nothing may change.
contract HornetQuiet {
    bytes reply;
    bool refuses;

    function arm(bytes calldata reply_, bool refuses_) external {
        reply = reply_;
        refuses = refuses_;
    }

    fallback() external payable {
        require(!refuses);
        bytes memory answer = reply;
        assembly {
            return(add(answer, 32), mload(answer))
        }
    }
}
