// A thread that waits for a spin lock cannot move while it is held: strong fairness lets it in.
// ltl: safe none G F (one || two)
// ltl: unsafe weak G F one
// ltl: safe strong G F one && G F two
// ltl: safe none G "inside <= 1"
#include <pthread.h>
#include <stdatomic.h>
#include <threadproof.h>

pthread_spinlock_t lock;
pthread_once_t once = PTHREAD_ONCE_INIT;

static void prepare(void) {
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
}
atomic_int inside;

static void enter(int me) {
    pthread_once(&once, prepare);
    pthread_spin_lock(&lock);
}

static void leave(int me) {
    pthread_spin_unlock(&lock);
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
