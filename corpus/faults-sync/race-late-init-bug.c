// main sets up the configuration after it has started the thread that reads it.
// expect: race=unsafe assert=unsafe deadlock=safe memory=safe lock-misuse=safe uninit=safe
// expect: arithmetic=safe overflow=safe leak=safe
// final-states: 1
#include <assert.h>
#include <pthread.h>

static int limit;

static void *worker(void *arg) {
    (void)arg;
    int l = limit;   //~ race
    assert(l == 10); //~ assert
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    limit = 10; //~ race
    pthread_join(t, NULL);
    return 0;
}
