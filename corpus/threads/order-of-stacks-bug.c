// The stack of a new thread may lie below or above that of the thread that created it.
// expect: assert=unsafe
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static void *start(void *argument) {
    int mine = 0;
    assert((uintptr_t)&mine < (uintptr_t)argument); //~ assert
    return 0;
}

int main(void) {
    int mine = 0;
    pthread_t thread;
    pthread_create(&thread, 0, start, &mine);
    pthread_join(thread, 0);
    return 0;
}
