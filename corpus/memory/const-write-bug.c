// A cast takes the const away from a global constant, and a store goes through it.
// expect: memory=unsafe assert=safe race=safe deadlock=safe arithmetic=safe lock-misuse=safe uninit=safe

static const int limits[2] = {10, 20};

static void raise_limit(const int *limit)
{
    *(int *)limit += 1; //~ memory
}

int main(void)
{
    raise_limit(&limits[1]);
    return 0;
}
