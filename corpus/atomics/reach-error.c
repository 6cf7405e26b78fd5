// reach_error is called only if two atomic flags were both found unset, which cannot be.
// expect: default=safe overflow=safe leak=safe
#include <pthread.h>
#include <stdatomic.h>

extern void reach_error(void);

static atomic_int x, y, blind;

static void *left(void *arg) {
    (void)arg;
    x = 1;
    if (!y)
        blind++;
    return NULL;
}

static void *right(void *arg) {
    (void)arg;
    y = 1;
    if (!x)
        blind++;
    return NULL;
}

int main(void) {
    pthread_t l, r;
    pthread_create(&l, NULL, left, NULL);
    pthread_create(&r, NULL, right, NULL);
    pthread_join(l, NULL);
    pthread_join(r, NULL);
    if (blind == 2)
        reach_error();
    return 0;
}
