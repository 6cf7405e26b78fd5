// A sum starts from zero.
// expect: default=safe overflow=safe

#include <assert.h>

struct statistics {
    int count;
    int sum;
};

static void reset(struct statistics *statistics)
{
    statistics->count = 0;
    statistics->sum = 0;
}

int main(void)
{
    static const int values[3] = {1, 2, 3};
    struct statistics statistics;
    reset(&statistics);
    for (int i = 0; i < 3; i++) {
        statistics.count++;
        statistics.sum += values[i];
    }
    assert(statistics.sum == 6 && statistics.count == 3);
    return 0;
}
