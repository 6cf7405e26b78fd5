// The main thread sets a variable again when the first of two threads has ended.
// expect: assert=unsafe
#include <assert.h>
#include <pthread.h>

int size;

static void *run(void *arg) {
    assert(size == 3); //~ assert
    return NULL;
}

int main(void) {
    pthread_t t, u;
    size = 3;
    pthread_create(&t, NULL, run, NULL);
    pthread_join(t, NULL);
    size = 4;
    pthread_create(&u, NULL, run, NULL);
    pthread_join(u, NULL);
    return 0;
}
