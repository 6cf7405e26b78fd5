// A table of all characters is indexed with a plain char, which may be negative.
// expect: memory=unsafe assert=safe race=safe deadlock=safe arithmetic=safe lock-misuse=safe uninit=safe

static int counts[256];

static void count(const char *text)
{
    for (; *text; text++)
        counts[(int)*text]++; //~ memory
}

int main(void)
{
    count("a\xe9");
    return counts['a'];
}
