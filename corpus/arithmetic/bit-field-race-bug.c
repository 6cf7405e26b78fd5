// Two threads write neighbouring bit-fields, which share one memory location: a race that loses a write.
// expect: race=unsafe assert=safe deadlock=safe memory=safe arithmetic=safe lock-misuse=safe uninit=safe
// final-states: 3

#include <pthread.h>

struct status {
    unsigned int ready : 4;
    unsigned int count : 4;
};

static struct status status;

static void *set_ready(void *unused)
{
    (void)unused;
    status.ready = 1; //~ race
    return NULL;
}

static void *set_count(void *unused)
{
    (void)unused;
    status.count = 7; //~ race
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, set_ready, NULL);
    pthread_create(&b, NULL, set_count, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
