// Three threads draw a ticket each: all 3! = 6 orders.
// expect: default=safe
// final-states: 6

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int next;
static int tickets[3];

static void *draw(void *arg)
{
    int *ticket = arg;
    *ticket = atomic_fetch_add(&next, 1);
    return NULL;
}

int main(void)
{
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, draw, &tickets[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    assert(tickets[0] != tickets[1] && tickets[1] != tickets[2] && tickets[0] != tickets[2]);
    return 0;
}
