// main polls for the end of two workers that lock in the same order.
// expect: default=safe overflow=safe leak=safe
// final-states: 1
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;
static atomic_int finished;

static void *worker(void *arg) {
    (void)arg;
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    finished++;
    return NULL;
}

int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, NULL);
    while (finished < 2)
        ;
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
