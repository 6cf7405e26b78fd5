// Main takes a snapshot while two threads set their flags: four snapshots.
// expect: default=safe
// final-states: 4

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flags[2];
static int snapshot[2];

static void *raise_flag(void *arg)
{
    atomic_int *flag = arg;
    atomic_store(flag, 1);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, raise_flag, &flags[0]);
    pthread_create(&b, NULL, raise_flag, &flags[1]);
    for (int i = 0; i < 2; i++)
        snapshot[i] = atomic_load(&flags[i]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(flags[0] == 1 && flags[1] == 1);
    return 0;
}
