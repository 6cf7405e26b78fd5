// A callback that nobody registered is called.
// expect: memory=unsafe assert=safe race=safe deadlock=safe arithmetic=safe lock-misuse=safe uninit=safe

static void (*on_close)(int);

static void close_handle(int handle)
{
    on_close(handle); //~ memory
}

int main(void)
{
    close_handle(3);
    return 0;
}
