// Two threads exchange their number with a shared cell: the three numbers are only permuted, two ways.
// expect: default=safe overflow=safe
// final-states: 2

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int cell = 1;
static int hands[2] = {2, 3};

static void *swap(void *arg)
{
    int *hand = arg;
    *hand = atomic_exchange(&cell, *hand);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, swap, &hands[0]);
    pthread_create(&b, NULL, swap, &hands[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(cell + hands[0] + hands[1] == 6);
    return 0;
}
