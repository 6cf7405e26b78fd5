// The last seat is sold twice: the test and the atomic decrement are two steps.
// expect: assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe uninit=safe
// expect: arithmetic=safe overflow=safe leak=safe
// final-states: 1
// (whoever comes second finds no seat; both selling ends in the assertion)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int seats = 1;

static void *agent(void *arg) {
    (void)arg;
    if (seats > 0)
        seats--;
    return NULL;
}

int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, agent, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(seats >= 0); //~ assert
    return 0;
}
