//! Solidity text to typed program to IR.
