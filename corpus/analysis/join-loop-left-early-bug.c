// One loop creates threads, another joins them and may stop before it is done.
// expect: race=unsafe
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;

static void *run(void *arg) {
    pthread_mutex_lock(&m);
    x++; //~ race
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, run, NULL);
    for (int i = 0; i < 2; i++) {
        pthread_join(t[i], NULL);
        if (i == 0) break;
    }
    return x; //~ race
}
