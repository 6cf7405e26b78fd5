// Lamport's bakery algorithm for two threads protects a plain counter.
// expect: default=safe overflow=safe leak=safe
// final-states: 1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

static atomic_bool choosing[2];
static atomic_int ticket[2];
static int counter;

static void lock(int me) {
    int other = 1 - me;
    choosing[me] = true;
    int mine = ticket[other] + 1;
    ticket[me] = mine;
    choosing[me] = false;

    while (choosing[other])
        ;
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
    counter++;
    unlock(me);
    return NULL;
}

int main(void) {
    pthread_t t[2];
    for (intptr_t i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, customer, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(counter == 2);
    return 0;
}
