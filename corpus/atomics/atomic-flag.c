// atomic_flag: the first test_and_set returns false, and clear makes it available again.
// expect: default=safe overflow=safe leak=safe
// final-states: 1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_flag busy = ATOMIC_FLAG_INIT;
static atomic_int skipped, done;

static void *worker(void *arg) {
    (void)arg;
    if (atomic_flag_test_and_set(&busy))
        skipped++;
    else
        done++;
    return NULL;
}

int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(done == 1 && skipped == 1);
    atomic_flag_clear(&busy);
    bool before = atomic_flag_test_and_set(&busy);
    assert(!before);
    return 0;
}
