// A ticket lock that draws tickets with a load and a store: two threads hold the same number.
// expect: assert=unsafe race=unsafe deadlock=safe memory=safe lock-misuse=safe uninit=safe
// expect: arithmetic=safe overflow=safe leak=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint next_ticket, now_serving;
static int counter;

static void lock(void) {
    unsigned mine = next_ticket;
    next_ticket = mine + 1;
    while (now_serving != mine)
        ;
}

static void unlock(void) {
    now_serving++;
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
