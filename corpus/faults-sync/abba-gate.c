// Opposite lock orders under a common outer lock cannot deadlock.
// expect: default=safe overflow=safe leak=safe
// final-states: 1
#include <pthread.h>

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;

static void take_both(pthread_mutex_t *first, pthread_mutex_t *second) {
    pthread_mutex_lock(&gate);
    pthread_mutex_lock(first);
    pthread_mutex_lock(second);
    pthread_mutex_unlock(&gate);
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
}

static void *a_then_b(void *arg) {
    (void)arg;
    take_both(&a, &b);
    return NULL;
}

static void *b_then_a(void *arg) {
    (void)arg;
    take_both(&b, &a);
    return NULL;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, NULL, a_then_b, NULL);
    pthread_create(&u, NULL, b_then_a, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}
