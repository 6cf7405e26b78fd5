// A lock that is initialised before there are threads, and again after they ended.
// expect: race=safe
// analysis: proves
#include <pthread.h>

pthread_mutex_t m;
int x;

static void *run(void *arg) {
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t t;
    for (int i = 0; i < 2; i++) {
        pthread_mutex_init(&m, NULL);
        pthread_create(&t, NULL, run, NULL);
        pthread_mutex_lock(&m);
        x++;
        pthread_mutex_unlock(&m);
        pthread_join(t, NULL);
        pthread_mutex_destroy(&m);
    }
    return 0;
}
