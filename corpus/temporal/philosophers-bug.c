// Two philosophers take their forks in different orders, so that both may wait for ever.
// ltl: unsafe none F "eating != 0"
// ltl: unsafe weak F "eating != 0"
// ltl: unsafe strong G F "eating != 0"
// ltl: safe none G "eating >= 0 && eating <= 2"
// ltl: safe none G ("eating == 1" -> ("eating == 1" W "eating == 0"))
#include <pthread.h>
#include <stdatomic.h>

pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER;
atomic_int eating;

static void dine(pthread_mutex_t *one, pthread_mutex_t *other, int me) {
    for (;;) {
        pthread_mutex_lock(one);
        pthread_mutex_lock(other);
        atomic_store(&eating, me);
        atomic_store(&eating, 0);
        pthread_mutex_unlock(other);
        pthread_mutex_unlock(one);
    }
}

void *second(void *arg) {
    dine(&right, &left, 2);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, second, 0);
    dine(&left, &right, 1);
}
