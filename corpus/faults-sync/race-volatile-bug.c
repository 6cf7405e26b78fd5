// volatile is no synchronisation: an increment of a volatile counter races and gets lost.
// expect: race=unsafe assert=unsafe deadlock=safe memory=safe lock-misuse=safe uninit=safe
// expect: arithmetic=safe overflow=safe leak=safe
// final-states: 1
#include <assert.h>
#include <pthread.h>

static volatile int counter;

static void *worker(void *arg) {
    (void)arg;
    counter = counter + 1; //~ race
    return NULL;
}

int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(counter == 2); //~ assert
    return 0;
}
