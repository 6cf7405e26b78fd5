// The number that the address of a global is does not depend on which thread asks for it first.
// expect: default=safe
// executions: 1
// final-states: 1
#include <pthread.h>
#include <stdint.h>

int apple, pear;
int buckets[2];

static void *first(void *arg)
{
    buckets[0] = (int)((uintptr_t)&apple >> 4) % 1009;
    return 0;
}

static void *second(void *arg)
{
    buckets[1] = (int)((uintptr_t)&pear >> 4) % 1009;
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
