// Lamport's fast mutex whose slow path does not wait for the other's busy flag: both get in.
// expect: assert=unsafe race=unsafe deadlock=safe memory=safe lock-misuse=safe uninit=safe
// expect: arithmetic=safe overflow=safe leak=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int x, y;
static int inside;

static void lock(int me) {
    for (;;) {
        x = me;
        if (y != 0) {
            while (y != 0)
                ;
            continue;
        }
        y = me;
        if (x == me)
            return;
        if (y == me) // the other may be inside already
            return;
        while (y != 0)
            ;
    }
}

static void unlock(void) {
    y = 0;
}

static void *worker(void *arg) {
    int me = (int)(intptr_t)arg;
    lock(me);
    int seen = ++inside; //~ race
    assert(seen == 1);   //~ assert
    inside--;            //~ race
    unlock();
    return NULL;
}

int main(void) {
    pthread_t t[2];
    for (intptr_t i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, (void *)(i + 1));
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
