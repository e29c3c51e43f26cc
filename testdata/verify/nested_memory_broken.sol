// fails: Nested.distinct Nested.rows Nested.cubes Nested.copied Nested.fromCalldata Nested.back Nested.decoded
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Nested {
    struct Leg {
        uint256 amount;
        uint256[2] pair;
    }

    struct Order {
        uint256 id;
        Leg[] legs;
    }

    Order[] orders;
    uint256[][] table;

    function distinct(uint256 n, uint256 i, uint256 j) public pure {
        require(i < n && j < n);
        Leg[] memory legs = new Leg[](n);
        legs[i].pair[1] = 7;
        assert(legs[j].pair[1] == 0);
    }

    function rows(uint256 n, uint256 i, uint256 j) public pure {
        require(i < n && j < n && i != j);
        uint256[][] memory m = new uint256[][](n);
        m[i] = new uint256[](4);
        m[i][2] = 9;
        m[j] = m[i];
        m[j][2] = 10;
        assert(m[i][2] == 9);
    }

    function cubes(uint256 n, uint256 k) public pure {
        require(n > 1 && k < 3);
        uint256[3][2][] memory m = new uint256[3][2][](n);
        m[1] = m[0];
        m[0][1][k] = 5;
        assert(m[1][1][k] == 0);
    }

    function copied(uint256 i, uint256 k) public {
        require(i < orders.length && k < orders[i].legs.length);
        Order[] memory all = orders;
        all[i].legs[k].amount = 77;
        assert(orders[i].legs[k].amount == 77);
    }

    function fromCalldata(Order[] calldata given, uint256 i, uint256 k) external {
        require(i < given.length && k < given[i].legs.length);
        Order[] memory all = given;
        Leg memory leg = all[i].legs[k];
        leg.amount = 1;
        orders.push(all[i]);
        assert(orders[orders.length - 1].legs[k].amount == given[i].legs[k].amount);
    }

    function back(uint256[][] memory m, uint256 i, uint256 j) public {
        require(i < m.length && j < m[i].length);
        table = m;
        m[i][j] = 1;
        assert(table[i][j] == m[i][j]);
    }

    function decoded(bytes memory data, uint256 i, uint256 j) public pure {
        uint256[][] memory m = abi.decode(data, (uint256[][]));
        require(i < m.length && j < m.length && m[i].length > 0 && m[j].length > 0);
        uint256 other = m[j][0];
        m[i][0] = 12;
        assert(m[j][0] == other);
    }
}
