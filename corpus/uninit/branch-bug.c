// A status that is set only on success decides a branch after a failure.
// expect: uninit=unsafe assert=safe race=safe deadlock=safe memory=safe arithmetic=safe lock-misuse=safe

static void probe(int device, int *status)
{
    if (device == 1)
        *status = 1;
}

int main(void)
{
    int status;
    probe(0, &status);
    if (status == 1) //~ uninit
        return 1;
    return 0;
}
