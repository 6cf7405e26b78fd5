// main reads the worker's result before it joins the worker.
// expect: race=unsafe assert=unsafe deadlock=safe memory=safe lock-misuse=safe uninit=safe
// expect: arithmetic=safe overflow=safe leak=safe
// final-states: 1
#include <assert.h>
#include <pthread.h>

static int result;

static void *worker(void *arg) {
    (void)arg;
    result = 9; //~ race
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    int r = result; //~ race
    pthread_join(t, NULL);
    assert(r == 9); //~ assert
    return 0;
}
