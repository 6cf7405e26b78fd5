// Readers of a lock take numbers at the same time.
// expect: race=unsafe
#include <pthread.h>

pthread_rwlock_t m = PTHREAD_RWLOCK_INITIALIZER;
int next;
int data[4];

static void *run(void *arg) {
    pthread_rwlock_rdlock(&m);
    if (next < 4) { //~ race
        int i = next++; //~ race
        pthread_rwlock_unlock(&m);
        data[i]++; //~ race
    } else {
        pthread_rwlock_unlock(&m);
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
