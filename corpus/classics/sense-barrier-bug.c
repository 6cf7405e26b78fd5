// A counting barrier that is never reset holds nobody back the second time.
// expect: assert=unsafe race=unsafe deadlock=safe memory=safe lock-misuse=safe uninit=safe
// expect: arithmetic=safe overflow=safe leak=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int arrived;
static int phase_of[2];

static void barrier(void) {
    arrived++;
    while (arrived < 2)
        ;
}

static void *worker(void *arg) {
    int me = (int)(intptr_t)arg;
    phase_of[me] = 1;
    barrier();
    int other = phase_of[1 - me];
    assert(other == 1); //~ assert
    barrier();
    phase_of[me] = 2; //~ race
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
