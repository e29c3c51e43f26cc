pragma solidity ^0.8.0;

import "./nowhere.sol";

contract C {}
