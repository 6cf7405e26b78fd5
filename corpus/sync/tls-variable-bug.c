// A counter that was meant to be thread-local is shared.
// expect: race=unsafe assert=unsafe deadlock=safe memory=safe lock-misuse=safe uninit=safe
// expect: arithmetic=safe overflow=safe leak=safe
#include <assert.h>
#include <pthread.h>

static int counter = 10; // _Thread_local is missing

static void *worker(void *arg) {
    int *result = arg;
    counter++;         //~ race
    counter++;         //~ race
    *result = counter; //~ race
    return NULL;
}

int main(void) {
    pthread_t t[2];
    int result[2] = {0, 0};
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, &result[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(result[0] == 12 && result[1] == 12); //~ assert
    return 0;
}
