// Each modifier doubles the body: 2^40 copies.
contract C {
    uint x;
    modifier m() { _; _; }
    function h() public
        m m m m m m m m
        m m m m m m m m
        m m m m m m m m
        m m m m m m m m
        m m m m m m m m
    { x = 1; }
}
