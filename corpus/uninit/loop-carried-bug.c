// A sum starts from a field that nobody set, and the total decides.
// expect: uninit=unsafe assert=safe race=safe deadlock=safe memory=safe arithmetic=safe lock-misuse=safe

struct statistics {
    int count;
    int sum;
};

static void reset(struct statistics *statistics)
{
    statistics->count = 0;
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
    if (statistics.sum != 6) //~ uninit
        return 1;
    return 0;
}
