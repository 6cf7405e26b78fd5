// Three dining philosophers who all take the left fork first can starve together.
// expect: assert=safe race=safe deadlock=unsafe memory=safe lock-misuse=safe uninit=safe
// expect: arithmetic=safe overflow=safe leak=safe
// final-states: 1
#include <pthread.h>
#include <stdint.h>

enum { N = 3 };

static pthread_mutex_t fork_lock[N] = {
    PTHREAD_MUTEX_INITIALIZER,
    PTHREAD_MUTEX_INITIALIZER,
    PTHREAD_MUTEX_INITIALIZER,
};

static void *philosopher(void *arg) {
    int left = (int)(intptr_t)arg;
    int right = (left + 1) % N;
    pthread_mutex_lock(&fork_lock[left]);
    pthread_mutex_lock(&fork_lock[right]); //~ deadlock
    pthread_mutex_unlock(&fork_lock[right]);
    pthread_mutex_unlock(&fork_lock[left]);
    return NULL;
}

int main(void) {
    pthread_t t[N];
    for (intptr_t i = 0; i < N; i++)
        pthread_create(&t[i], NULL, philosopher, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], NULL); //~ deadlock
    return 0;
}
