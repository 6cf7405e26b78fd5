// A thread looks at the element beside the one whose number it has.
// expect: race=unsafe
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int next;
int data[4];

static void *run(void *arg) {
    pthread_mutex_lock(&m);
    if (next < 3) {
        int i = next++;
        pthread_mutex_unlock(&m);
        data[i] = data[i + 1]; //~ race
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
