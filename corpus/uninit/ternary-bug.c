// A conditional expression on an uninitialised flag, whose result is then tested.
// expect: uninit=unsafe assert=safe race=safe deadlock=safe memory=safe arithmetic=safe lock-misuse=safe

struct order {
    int amount;
    int urgent;
};

static void place(struct order *order, int amount)
{
    order->amount = amount;
}

int main(void)
{
    struct order order;
    place(&order, 2);
    int cost = order.urgent ? 5 : 2; //~ uninit
    if (cost > 4) //~ uninit
        return 1;
    return 0;
}
