// What two threads need is prepared once, before either of them uses it.
// ltl: safe none F "ready == 1"
// ltl: safe none G ("used == 1" -> "ready == 1")
// ltl: safe none !"used == 1" U "ready == 1"
// ltl: safe none F terminated
// ltl: unsafe none G "ready == 0"
// ltl: unsafe strong G ("ready == 1" -> "used == 1")
#include <pthread.h>
#include <stdatomic.h>

pthread_once_t once = PTHREAD_ONCE_INIT;
atomic_int ready, used;

static void prepare(void) {
    atomic_store(&ready, 1);
}

void *user(void *arg) {
    pthread_once(&once, prepare);
    atomic_store(&used, 1);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, user, 0);
    user(0);
    pthread_join(thread, 0);
}
