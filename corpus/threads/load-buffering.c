// Each thread reads the one variable and then stores to the other: not both read 1.
// expect: default=safe
// final-states: 3

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int r1, r2;

static void *left(void *unused)
{
    (void)unused;
    r1 = atomic_load(&x);
    atomic_store(&y, 1);
    return NULL;
}

static void *right(void *unused)
{
    (void)unused;
    r2 = atomic_load(&y);
    atomic_store(&x, 1);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, left, NULL);
    pthread_create(&b, NULL, right, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(r1 == 0 || r2 == 0);
    return 0;
}
