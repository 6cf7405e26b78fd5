// Two threads wait until something is there, and all are told.
// ltl: safe weak F terminated
// ltl: unsafe none F terminated
// ltl: safe none G (terminated -> "gone == 2")
// ltl: safe none !"gone == 1" W "there == 1"
// ltl: unsafe weak G ("there == 1" -> "gone == 2")
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int there, gone;

void *waiter(void *arg) {
    pthread_mutex_lock(&mutex);
    while (!there)
        pthread_cond_wait(&changed, &mutex);
    gone++;
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, waiter, 0);
    pthread_create(&b, 0, waiter, 0);
    pthread_mutex_lock(&mutex);
    there = 1;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&mutex);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
