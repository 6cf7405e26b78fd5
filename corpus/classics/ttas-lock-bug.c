// A lock that tests and then sets in two steps lets two threads in.
// expect: assert=unsafe race=unsafe deadlock=safe memory=safe lock-misuse=safe uninit=safe
// expect: arithmetic=safe overflow=safe leak=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_bool locked;
static int counter;

static void lock(void) {
    while (locked)
        ;
    locked = true;
}

static void unlock(void) {
    locked = false;
}

static void *worker(void *arg) {
    (void)arg;
    lock();
    counter++; //~ race
    unlock();
    return NULL;
}

int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(counter == 2); //~ assert
    return 0;
}
