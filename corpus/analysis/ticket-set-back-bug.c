// The counter is set back while threads use its numbers.
// expect: race=unsafe
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int next;
int data[4];

static void *run(void *arg) {
    pthread_mutex_lock(&m);
    if (next < 4) {
        int i = next++;
        pthread_mutex_unlock(&m);
        data[i]++; //~ race
    } else {
        pthread_mutex_unlock(&m);
    }
    return NULL;
}

int main(void) {
    for (int i = 0; i < 2; i++) {
        pthread_t t;
        pthread_create(&t, NULL, run, NULL);
        pthread_mutex_lock(&m);
        next = 0;
        pthread_mutex_unlock(&m);
    }
    pthread_exit(NULL);
}
