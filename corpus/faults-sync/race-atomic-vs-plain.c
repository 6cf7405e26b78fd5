// Both sides access the variable atomically, if only with relaxed ordering.
// expect: default=safe overflow=safe leak=safe
// final-states: 2
#include <pthread.h>

static int flag;
static int seen;

static void *setter(void *arg) {
    (void)arg;
    __atomic_store_n(&flag, 1, __ATOMIC_RELAXED);
    return NULL;
}

static void *checker(void *arg) {
    (void)arg;
    seen = __atomic_load_n(&flag, __ATOMIC_RELAXED);
    return NULL;
}

int main(void) {
    pthread_t s, c;
    pthread_create(&s, NULL, setter, NULL);
    pthread_create(&c, NULL, checker, NULL);
    pthread_join(s, NULL);
    pthread_join(c, NULL);
    return 0;
}
