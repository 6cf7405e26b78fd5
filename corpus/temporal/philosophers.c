// Two philosophers take their forks in the same order: one of them always eats again, but
// which one is a matter of fairness.
// ltl: safe none G F "eating != 0"
// ltl: safe weak G F "eating != 0"
// ltl: unsafe weak G F "eating == 1"
// ltl: safe strong G F "eating == 1" && G F "eating == 2"
// ltl: unsafe none G F "eating == 2"
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
    dine(&left, &right, 2);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, second, 0);
    dine(&left, &right, 1);
}
