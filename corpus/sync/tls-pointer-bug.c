// The address of a thread-local variable handed to another thread is ordinary shared memory.
// expect: race=unsafe assert=safe deadlock=safe memory=safe lock-misuse=safe uninit=safe
// expect: arithmetic=safe overflow=safe leak=safe
#include <pthread.h>

static _Thread_local int mine;

static void *worker(void *arg) {
    int *mains = arg;
    mine = 1;
    *mains = 2; //~ race
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, &mine);
    mine = 3; //~ race
    pthread_join(t, NULL);
    return 0;
}
