// A semaphore as a lock: no thread spins, but one may never be let in.
// ltl: safe none G F (one || two)
// ltl: unsafe weak G F one
// ltl: safe strong G F one && G F two
// ltl: unsafe none G F two
// ltl: safe none G "inside <= 1"
#include <pthread.h>
#include <stdatomic.h>
#include <threadproof.h>
#include <semaphore.h>

sem_t places;
pthread_once_t once = PTHREAD_ONCE_INIT;

static void prepare(void) {
    sem_init(&places, 0, 1);
}
atomic_int inside;

static void enter(int me) {
    pthread_once(&once, prepare);
    sem_wait(&places);
}

static void leave(int me) {
    sem_post(&places);
}

void *second(void *arg) {
    for (;;) {
        enter(1);
        atomic_fetch_add(&inside, 1);
        tp_label("two");
        atomic_fetch_sub(&inside, 1);
        leave(1);
    }
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, second, 0);
    for (;;) {
        enter(0);
        atomic_fetch_add(&inside, 1);
        tp_label("one");
        atomic_fetch_sub(&inside, 1);
        leave(0);
    }
}
