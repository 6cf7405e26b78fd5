// One thread that never leaves its loop; nobody else is there.
// expect: livelock=unsafe
int main(void) {
    volatile int x = 0;
    while (x == 0) { //~ livelock
    }
    return 0;
}
