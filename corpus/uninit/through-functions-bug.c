// An uninitialised value passes through calls, arithmetic and memory before it decides a branch.
// expect: uninit=unsafe assert=safe race=safe deadlock=safe memory=safe arithmetic=safe lock-misuse=safe

static int history[2];

static void read_sensor(int connected, int *value)
{
    if (connected)
        *value = 20;
}

static int calibrate(int raw)
{
    return 3 * raw + 1;
}

int main(void)
{
    int raw;
    read_sensor(0, &raw);
    history[1] = calibrate(raw);
    int difference = history[1] - history[0];
    if (difference > 10) //~ uninit
        return 1;
    return 0;
}
