// The address of a thread-local variable may be lent to another thread until that one is joined.
// expect: default=safe overflow=safe leak=safe
#include <assert.h>
#include <pthread.h>

static _Thread_local int mine;

static void *worker(void *arg) {
    int *mains = arg;
    mine = 1;
    *mains = 2;
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, &mine);
    pthread_join(t, NULL);
    assert(mine == 2);
    return 0;
}
