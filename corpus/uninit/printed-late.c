// Values are kept for a while and then only printed: which ones makes no difference, if they are initialised.
// expect: default=safe uninit=safe
// final-states: 1
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int turns;

static void *worker(void *arg) {
    pthread_mutex_lock(&lock);
    int turn = ++turns;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    printf("%d %p\n", turn, arg);
    return 0;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, worker, &threads[i]);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
    return 0;
}
