// Dekker's algorithm with the flag raised only after the other's flag was looked at: both get in.
// expect: assert=unsafe race=unsafe deadlock=safe memory=safe lock-misuse=safe uninit=safe
// expect: arithmetic=safe overflow=safe leak=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

static atomic_bool wants[2];
static int inside;

static void enter(int me) {
    while (wants[1 - me])
        ;
    wants[me] = true;
}

static void leave(int me) {
    wants[me] = false;
}

static void *worker(void *arg) {
    int me = (int)(intptr_t)arg;
    enter(me);
    int seen = ++inside; //~ race
    assert(seen == 1);   //~ assert
    inside--;            //~ race
    leave(me);
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
