// Three threads draw tickets with fetch_add: every order is possible, and no ticket is drawn twice.
// expect: default=safe overflow=safe leak=safe
// final-states: 6
// (3! orders)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int next_ticket;
static int ticket[3];

static void *customer(void *arg) {
    ticket[(intptr_t)arg] = atomic_fetch_add(&next_ticket, 1);
    return NULL;
}

int main(void) {
    pthread_t t[3];
    for (intptr_t i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, customer, (void *)i);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    assert(ticket[0] != ticket[1] && ticket[1] != ticket[2] && ticket[0] != ticket[2]);
    return 0;
}
