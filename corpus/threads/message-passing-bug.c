// The writer announces the data before it is there.
// expect: assert=unsafe race=safe deadlock=safe memory=safe arithmetic=safe lock-misuse=safe uninit=safe

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int data, flag;
static int seen_flag, seen_data;

static void *writer(void *unused)
{
    (void)unused;
    atomic_store(&flag, 1);
    atomic_store(&data, 1);
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
    assert(seen_data >= seen_flag); //~ assert
    return 0;
}
