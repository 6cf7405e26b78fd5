// Both threads of the store buffering test may well read 1.
// expect: assert=unsafe race=safe deadlock=safe memory=safe arithmetic=safe lock-misuse=safe uninit=safe

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
    assert(r1 + r2 == 1); //~ assert
    return 0;
}
