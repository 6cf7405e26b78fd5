// An uninitialised index decides which element is read.
// expect: uninit=unsafe assert=safe race=safe deadlock=safe arithmetic=safe lock-misuse=safe

static int table[4] = {1, 2, 3, 4};

static void find(int wanted, unsigned *index)
{
    for (unsigned i = 0; i < 4; i++)
        if (table[i] == wanted)
            *index = i;
}

int main(void)
{
    unsigned index;
    find(9, &index);
    return table[index & 3]; //~ uninit
}
