// Lamport's bakery algorithm without the choosing flags: equal tickets let both customers in.
// expect: assert=unsafe race=unsafe deadlock=safe memory=safe lock-misuse=safe uninit=safe
// expect: arithmetic=safe overflow=safe leak=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int ticket[2];
static int counter;

static void lock(int me) {
    int other = 1 - me;
    int mine = ticket[other] + 1;
    ticket[me] = mine;

    int theirs;
    while ((theirs = ticket[other]) != 0 && (theirs < mine || (theirs == mine && other < me)))
        ;
}

static void unlock(int me) {
    ticket[me] = 0;
}

static void *customer(void *arg) {
    int me = (int)(intptr_t)arg;
    lock(me);
    counter++; //~ race
    unlock(me);
    return NULL;
}

int main(void) {
    pthread_t t[2];
    for (intptr_t i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, customer, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(counter == 2); //~ assert
    return 0;
}
