// reach_error is called if the threads run one after the other.
// expect: assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe uninit=safe
// expect: arithmetic=safe overflow=safe leak=safe
#include <pthread.h>
#include <stdatomic.h>

extern void reach_error(void);

static atomic_int x, y, blind;

static void *left(void *arg) {
    (void)arg;
    if (!y)
        blind++;
    x = 1;
    return NULL;
}

static void *right(void *arg) {
    (void)arg;
    if (!x)
        blind++;
    y = 1;
    return NULL;
}

int main(void) {
    pthread_t l, r;
    pthread_create(&l, NULL, left, NULL);
    pthread_create(&r, NULL, right, NULL);
    pthread_join(l, NULL);
    pthread_join(r, NULL);
    if (blind == 1)
        reach_error(); //~ assert
    return 0;
}
