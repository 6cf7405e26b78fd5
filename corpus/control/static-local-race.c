// An atomic static variable hands every thread a ticket of its own, in one of two orders.
// expect: default=safe
// final-states: 2

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int tickets[2];

static int next_ticket(void)
{
    static atomic_int last;
    return atomic_fetch_add(&last, 1);
}

static void *worker(void *arg)
{
    int *ticket = arg;
    *ticket = next_ticket();
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, worker, &tickets[0]);
    pthread_create(&b, NULL, worker, &tickets[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(tickets[0] != tickets[1]);
    return 0;
}
