// A sense-reversing barrier separates two phases and can be used again.
// expect: default=safe overflow=safe leak=safe
// final-states: 1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

static atomic_int missing = 2;
static atomic_bool sense;
static int phase_of[2];

static void barrier(bool my_sense) {
    if (atomic_fetch_sub(&missing, 1) == 1) {
        missing = 2;
        sense = my_sense;
    } else {
        while (sense != my_sense)
            ;
    }
}

static void *worker(void *arg) {
    int me = (int)(intptr_t)arg;
    phase_of[me] = 1;
    barrier(true);
    assert(phase_of[1 - me] == 1);
    barrier(false);
    phase_of[me] = 2;
    return NULL;
}

int main(void) {
    pthread_t t[2];
    for (intptr_t i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
