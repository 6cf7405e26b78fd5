// A function without a result is called as if it had one.
// expect: memory=unsafe assert=safe race=safe deadlock=safe arithmetic=safe lock-misuse=safe uninit=safe
static int calls;

static void count(int by) { calls += by; }

int main(void) {
    int (*counter)(int) = (int (*)(int))count;
    return counter(3); //~ memory
}
