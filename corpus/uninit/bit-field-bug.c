// A bit-field is read whose neighbour alone was set.
// expect: uninit=unsafe assert=safe race=safe deadlock=safe memory=safe arithmetic=safe lock-misuse=safe

struct flags {
    unsigned ready : 3;
    unsigned count : 5;
};

static void set_ready(struct flags *flags)
{
    flags->ready = 5;
}

int main(void)
{
    struct flags flags;
    set_ready(&flags);
    if (flags.count > 2) //~ uninit
        return 1;
    return 0;
}
