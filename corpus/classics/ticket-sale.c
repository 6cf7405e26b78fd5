// The last seat is sold once: the counter is decremented with compare-and-swap only if positive.
// expect: default=safe overflow=safe leak=safe
// final-states: 2
// (one of the two agents sold it)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

static atomic_int seats = 1;
static bool sold[2];

static bool sell(void) {
    int left = seats;
    while (left > 0)
        if (atomic_compare_exchange_strong(&seats, &left, left - 1))
            return true;
    return false;
}

static void *agent(void *arg) {
    sold[(intptr_t)arg] = sell();
    return NULL;
}

int main(void) {
    pthread_t t[2];
    for (intptr_t i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, agent, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(sold[0] != sold[1]);
    assert(seats == 0);
    return 0;
}
