// Two writers, two readers: the readers agree on the order of the writes, 15 of 16 outcomes.
// expect: default=safe
// final-states: 15

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int r1, r2, r3, r4;

static void *write_x(void *unused)
{
    (void)unused;
    atomic_store(&x, 1);
    return NULL;
}

static void *write_y(void *unused)
{
    (void)unused;
    atomic_store(&y, 1);
    return NULL;
}

static void *read_x_first(void *unused)
{
    (void)unused;
    r1 = atomic_load(&x);
    r2 = atomic_load(&y);
    return NULL;
}

static void *read_y_first(void *unused)
{
    (void)unused;
    r3 = atomic_load(&y);
    r4 = atomic_load(&x);
    return NULL;
}

int main(void)
{
    void *(*const functions[4])(void *) = {write_x, write_y, read_x_first, read_y_first};
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, functions[i], NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    assert(!(r1 == 1 && r2 == 0 && r3 == 1 && r4 == 0));
    return 0;
}
