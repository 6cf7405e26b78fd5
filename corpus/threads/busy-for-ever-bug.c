// After it has raised the flag, a thread is busy for ever with what is its own:
// the others must have their turn nevertheless.
// expect: assert=unsafe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;
static atomic_int own;

static void *work(void *arg) {
    flag = 1;
    for (;;)
        own ^= 1;
    return arg;
}

static void *look(void *arg) {
    assert(!flag); //~ assert
    return arg;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], 0, work, 0);
    pthread_create(&threads[1], 0, look, 0);
    pthread_join(threads[0], 0);
    return 0;
}
