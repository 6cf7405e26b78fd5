// Store buffering with a machine fence in each thread: not both threads read the old value.
// expect: default=safe
// final-states: 3

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int seen_x, seen_y;

static void *left(void *unused)
{
    (void)unused;
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    __asm__ volatile("mfence" ::: "memory");
    seen_y = atomic_load_explicit(&y, memory_order_relaxed);
    return NULL;
}

static void *right(void *unused)
{
    (void)unused;
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    __asm__ volatile("mfence" ::: "memory");
    seen_x = atomic_load_explicit(&x, memory_order_relaxed);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, left, NULL);
    pthread_create(&b, NULL, right, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(seen_x == 1 || seen_y == 1);
    return 0;
}
