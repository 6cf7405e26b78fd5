// Two threads wait on one condition at the same time, each with a mutex of its own.
// expect: lock-misuse=unsafe assert=safe
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool ready[2];

static void *waiter(void *arg) {
    int mine = *(int *)arg;
    pthread_mutex_lock(&locks[mine]);
    while (!ready[mine]) pthread_cond_wait(&changed, &locks[mine]);
    pthread_mutex_unlock(&locks[mine]);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    int numbers[2] = {0, 1};
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, waiter, &numbers[i]);
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&locks[i]);
        ready[i] = true;
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&locks[i]);
    }
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    return 0;
}
