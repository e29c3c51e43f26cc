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
        string note;
    }

    Order[] orders;
    uint256[][] table;

    function distinct(uint256 n, uint256 i, uint256 j) public pure {
        require(i < n && j < n && i != j);
        Leg[] memory legs = new Leg[](n);
        legs[i].pair[1] = 7;
        assert(legs[j].pair[1] == 0);
        assert(legs[i].pair[0] == 0);
        Leg memory same = legs[i];
        same.pair[0] = 3;
        assert(legs[i].pair[0] == 3);
    }

    function rows(uint256 n, uint256 i, uint256 j) public pure {
        require(i < n && j < n);
        uint256[][] memory m = new uint256[][](n);
        assert(m[i].length == 0);
        m[i] = new uint256[](4);
        m[i][2] = 9;
        if (i != j) assert(m[j].length == 0);
        m[j] = m[i];
        m[j][2] = 10;
        assert(m[i][2] == 10);
    }

    function cubes(uint256 n, uint256 k) public pure {
        require(n > 1 && k < 3);
        uint256[3][2][] memory m = new uint256[3][2][](n);
        m[0][1][k] = 5;
        assert(m[1][1][k] == 0);
        assert(m[0][0][k] == 0);
        uint256[3] memory row = m[0][1];
        assert(row[k] == 5);
    }

    function copied(uint256 i, uint256 j, uint256 k) public {
        require(i < orders.length && j < orders.length && i != j);
        require(k < orders[i].legs.length && k < orders[j].legs.length);
        uint256 before = orders[j].legs[k].amount;
        Order[] memory all = orders;
        all[i].legs[k].amount = 77;
        assert(all[j].legs[k].amount == before);
        assert(all[j].id == orders[j].id);
        assert(all.length == orders.length);
        orders[i] = all[i];
        assert(orders[i].legs[k].amount == 77);
        assert(orders[j].legs[k].amount == before);
    }

    function fromCalldata(Order[] calldata given, uint256 i, uint256 k) external {
        require(i < given.length && k < given[i].legs.length);
        Order[] memory all = given;
        assert(all[i].legs[k].pair[1] == given[i].legs[k].pair[1]);
        all[i].legs[k].pair[1] = 1;
        all[i].id = 2;
        orders.push(all[i]);
        assert(orders[orders.length - 1].legs[k].pair[1] == 1);
        assert(orders[orders.length - 1].legs[k].amount == given[i].legs[k].amount);
    }

    function back(uint256[][] memory m, uint256 i, uint256 j) public {
        require(i < m.length && j < m[i].length);
        table = m;
        assert(table[i][j] == m[i][j]);
        uint256 old = m[i][j];
        m[i][j] = 1;
        assert(table[i][j] == old);
    }

    function decoded(bytes memory data, uint256 i, uint256 j) public pure {
        uint256[][] memory m = abi.decode(data, (uint256[][]));
        require(i < m.length && j < m.length && i != j && m[i].length > 0 && m[j].length > 0);
        uint256 other = m[j][0];
        m[i][0] = 12;
        assert(m[j][0] == other);
    }
}
