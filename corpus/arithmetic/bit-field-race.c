// A bit-field of width zero separates two memory locations, which two threads may write at once.
// expect: default=safe
// final-states: 1

#include <assert.h>
#include <pthread.h>

struct status {
    unsigned int ready : 4;
    unsigned int : 0;
    unsigned int count : 4;
};

static struct status status;

static void *set_ready(void *unused)
{
    (void)unused;
    status.ready = 1;
    return NULL;
}

static void *set_count(void *unused)
{
    (void)unused;
    status.count = 7;
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, set_ready, NULL);
    pthread_create(&b, NULL, set_count, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(status.ready == 1 && status.count == 7);
    return 0;
}
