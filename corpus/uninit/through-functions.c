// The value has a default before it passes through calls, arithmetic and memory.
// expect: default=safe overflow=safe

#include <assert.h>

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
    int raw = 0;
    read_sensor(0, &raw);
    history[1] = calibrate(raw);
    int difference = history[1] - history[0];
    assert(difference == 1);
    return 0;
}
