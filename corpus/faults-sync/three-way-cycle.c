// Three threads and three mutexes, each pair taken in ascending order.
// expect: default=safe overflow=safe leak=safe
// final-states: 1
#include <pthread.h>

static pthread_mutex_t m[3] = {
    PTHREAD_MUTEX_INITIALIZER,
    PTHREAD_MUTEX_INITIALIZER,
    PTHREAD_MUTEX_INITIALIZER,
};

struct pair {
    int first, second;
};

static void *worker(void *arg) {
    const struct pair *p = arg;
    pthread_mutex_lock(&m[p->first]);
    pthread_mutex_lock(&m[p->second]);
    pthread_mutex_unlock(&m[p->second]);
    pthread_mutex_unlock(&m[p->first]);
    return NULL;
}

int main(void) {
    struct pair pairs[3] = {{0, 1}, {1, 2}, {0, 2}};
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, worker, &pairs[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
