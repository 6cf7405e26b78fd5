// Both threads write both variables, in opposite orders: x = 1, y = 2 cannot be left behind.
// expect: default=safe
// final-states: 3

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void *one(void *unused)
{
    (void)unused;
    atomic_store(&x, 1);
    atomic_store(&y, 1);
    return NULL;
}

static void *two(void *unused)
{
    (void)unused;
    atomic_store(&y, 2);
    atomic_store(&x, 2);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, two, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(!(x == 1 && y == 2));
    return 0;
}
