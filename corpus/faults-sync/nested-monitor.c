// The outer mutex is given back before the wait, so the signaller gets through.
// expect: default=safe overflow=safe leak=safe
// final-states: 1
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t inner = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static bool full;

static void *consumer(void *arg) {
    (void)arg;
    pthread_mutex_lock(&outer);
    pthread_mutex_lock(&inner);
    pthread_mutex_unlock(&outer);
    while (!full)
        pthread_cond_wait(&filled, &inner);
    pthread_mutex_unlock(&inner);
    return NULL;
}

static void *producer(void *arg) {
    (void)arg;
    pthread_mutex_lock(&outer);
    pthread_mutex_lock(&inner);
    full = true;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&inner);
    pthread_mutex_unlock(&outer);
    return NULL;
}

int main(void) {
    pthread_t c, p;
    pthread_create(&c, NULL, consumer, NULL);
    pthread_create(&p, NULL, producer, NULL);
    pthread_join(c, NULL);
    pthread_join(p, NULL);
    return 0;
}
