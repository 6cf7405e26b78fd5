// Two threads share the static variable of a function: both may get the same ticket.
// expect: race=unsafe assert=unsafe deadlock=safe memory=safe arithmetic=safe lock-misuse=safe uninit=safe

#include <assert.h>
#include <pthread.h>

static int tickets[2];

static int next_ticket(void)
{
    static int last;
    return ++last; //~ race
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
    assert(tickets[0] != tickets[1]); //~ assert
    return 0;
}
