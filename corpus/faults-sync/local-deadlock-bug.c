// Two workers deadlock while main keeps running: it polls for their end.
// expect: deadlock=unsafe assert=safe race=safe memory=safe lock-misuse=safe uninit=safe
// expect: arithmetic=safe overflow=safe leak=safe
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;
static atomic_int finished;

static void *a_then_b(void *arg) {
    (void)arg;
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b); //~ deadlock
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    finished++;
    return NULL;
}

static void *b_then_a(void *arg) {
    (void)arg;
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a); //~ deadlock
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    finished++;
    return NULL;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, NULL, a_then_b, NULL);
    pthread_create(&u, NULL, b_then_a, NULL);
    while (finished < 2)
        ;
    return 0;
}
