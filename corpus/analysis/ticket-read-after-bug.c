// The number is read after the counter has moved on, so that the next one gets it too.
// expect: race=unsafe
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int next;
int data[4];

static void *run(void *arg) {
    pthread_mutex_lock(&m);
    if (next < 3) {
        int i = next;
        next = i + 1;
        int later = next;
        pthread_mutex_unlock(&m);
        data[i]++;     //~ race
        data[later]++; //~ race
    } else {
        pthread_mutex_unlock(&m);
    }
    return NULL;
}

int main(void) {
    for (int i = 0; i < 2; i++) {
        pthread_t t;
        pthread_create(&t, NULL, run, NULL);
    }
    pthread_exit(NULL);
}
