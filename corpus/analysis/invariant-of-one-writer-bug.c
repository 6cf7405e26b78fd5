// The main thread writes a variable again after its only other writer has ended.
// expect: assert=unsafe
#include <assert.h>
#include <pthread.h>

int x;

static void *write_it(void *arg) {
    x = 1;
    return NULL;
}

static void *read_it(void *arg) {
    assert(x == 1); //~ assert
    return NULL;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, NULL, write_it, NULL);
    pthread_join(t, NULL);
    x = 2;
    pthread_create(&u, NULL, read_it, NULL);
    pthread_join(u, NULL);
    return 0;
}
