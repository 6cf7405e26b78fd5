// Each thread stores to its own flag and reads the other's: under sequential consistency not both read 0.
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
    atomic_store(&x, 1);
    r1 = atomic_load(&y);
    return NULL;
}

static void *right(void *unused)
{
    (void)unused;
    atomic_store(&y, 1);
    r2 = atomic_load(&x);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, left, NULL);
    pthread_create(&b, NULL, right, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(r1 == 1 || r2 == 1);
    return 0;
}
