
    struct Order_N {
        address buyer;
        uint96 price;
        uint8 step;
    }

    mapping(address => uint256) internal credit_N;
    Order_N[] internal orders_N;
    uint256 internal total_N;
    bool internal closed_N;
    event Moved_N(address indexed from, address indexed to, uint256 amount);

    function deposit_N() external payable {
        require(!closed_N, "closed");
        credit_N[msg.sender] += msg.value;
        total_N += msg.value;
    }

    function move_N(address to, uint256 amount) external {
        require(credit_N[msg.sender] >= amount, "credit");
        credit_N[msg.sender] -= amount;
        credit_N[to] += amount;
        emit Moved_N(msg.sender, to, amount);
    }

    function order_N(uint96 price) external {
        require(price > 0 && credit_N[msg.sender] >= price, "price");
        orders_N.push(Order_N(msg.sender, price, 0));
    }

    function advance_N(uint256 i) external {
        Order_N storage found = orders_N[i];
        require(found.buyer == msg.sender && found.step < 3, "order");
        found.step++;
        if (found.step == 3) credit_N[owner] += found.price;
    }

    function close_N(bool now_) external {
        require(msg.sender == owner, "owner");
        closed_N = now_;
    }
