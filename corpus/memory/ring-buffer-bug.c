// The write position of a ring buffer wraps one element too late.
// expect: memory=unsafe assert=safe race=safe deadlock=safe arithmetic=safe lock-misuse=safe uninit=safe

enum { CAPACITY = 3 };

static int ring[CAPACITY];
static int head;

static void put(int value)
{
    ring[head] = value; //~ memory
    head = head == CAPACITY ? 0 : head + 1;
}

int main(void)
{
    for (int i = 0; i < 5; i++)
        put(i);
    return 0;
}
