// A lock that a function takes for its caller protects a variable.
// expect: race=safe
// analysis: proves
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;

static void enter(void) { pthread_mutex_lock(&m); }

static void *run(void *arg) {
    enter();
    x++;
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, NULL, run, NULL);
    pthread_create(&u, NULL, run, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return x;
}
