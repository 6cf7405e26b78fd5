// A spin lock that is released with a plain store: the store races with the other's test-and-set.
// expect: race=unsafe assert=safe deadlock=safe memory=safe lock-misuse=safe uninit=safe
// expect: arithmetic=safe overflow=safe leak=safe
// final-states: 1
#include <assert.h>
#include <pthread.h>

static int lock;
static int counter;

static void *worker(void *arg) {
    (void)arg;
    while (__sync_lock_test_and_set(&lock, 1)) //~ race
        ;
    counter++; //~ race
    lock = 0;  //~ race
    return NULL;
}

int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(counter == 2);
    return 0;
}
