// Two threads take numbers of a counter under different locks.
// expect: race=unsafe
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
int next;
int data[4];

static void *run(void *arg) {
    pthread_mutex_lock(&m);
    if (next < 4) {
        int i = next++; //~ race
        pthread_mutex_unlock(&m);
        data[i]++; //~ race
    } else {
        pthread_mutex_unlock(&m);
    }
    return NULL;
}

static void *other(void *arg) {
    pthread_mutex_lock(&n);
    if (next < 4) { //~ race
        int i = next++; //~ race
        pthread_mutex_unlock(&n);
        data[i]++; //~ race
    } else {
        pthread_mutex_unlock(&n);
    }
    return NULL;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, NULL, run, NULL);
    pthread_create(&u, NULL, other, NULL);
    pthread_exit(NULL);
}
