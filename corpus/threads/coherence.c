// One thread stores 1 and 2, another reads twice: it never sees the values go back, six outcomes.
// expect: default=safe
// final-states: 6

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;
static int first, second;

static void *writer(void *unused)
{
    (void)unused;
    atomic_store(&x, 1);
    atomic_store(&x, 2);
    return NULL;
}

static void *reader(void *unused)
{
    (void)unused;
    first = atomic_load(&x);
    second = atomic_load(&x);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, reader, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(first <= second);
    return 0;
}
