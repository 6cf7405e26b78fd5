// A long has 32 bits in this data model, and the sum overflows it.
// expect: default=safe overflow=unsafe
// data-model: ilp32

static long population[2] = {1400000000, 1380000000};

static long total(void)
{
    return population[0] + population[1]; //~ overflow
}

int main(void)
{
    return total() != 0;
}
