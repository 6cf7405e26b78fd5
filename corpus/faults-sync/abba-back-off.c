// Opposite lock orders with trylock: who cannot get the second mutex gives the first one back.
// expect: default=safe overflow=safe leak=safe
// final-states: 1
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void take_both(pthread_mutex_t *first, pthread_mutex_t *second) {
    for (;;) {
        pthread_mutex_lock(first);
        if (pthread_mutex_trylock(second) == 0)
            return;
        pthread_mutex_unlock(first);
    }
}

static void *a_then_b(void *arg) {
    (void)arg;
    take_both(&a, &b);
    x++;
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return NULL;
}

static void *b_then_a(void *arg) {
    (void)arg;
    take_both(&b, &a);
    x++;
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
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
