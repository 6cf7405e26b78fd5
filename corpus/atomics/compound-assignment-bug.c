// `x = x * 3` on an _Atomic variable is a load and a store: the other update may get lost.
// expect: assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe uninit=safe
// expect: arithmetic=safe overflow=safe leak=safe
// final-states: 2
#include <assert.h>
#include <pthread.h>

static _Atomic int x = 1;

static void *times(void *arg) {
    (void)arg;
    x = x * 3;
    return NULL;
}

static void *plus(void *arg) {
    (void)arg;
    x += 2;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, times, NULL);
    pthread_create(&b, NULL, plus, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(x == 5 || x == 9); //~ assert
    return 0;
}
