// Who sees the flag sees the data: flag and data read as (0,0), (0,1) or (1,1).
// expect: default=safe
// final-states: 3

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int data, flag;
static int seen_flag, seen_data;

static void *writer(void *unused)
{
    (void)unused;
    atomic_store(&data, 1);
    atomic_store(&flag, 1);
    return NULL;
}

static void *reader(void *unused)
{
    (void)unused;
    seen_flag = atomic_load(&flag);
    seen_data = atomic_load(&data);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, reader, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(seen_data >= seen_flag);
    return 0;
}
