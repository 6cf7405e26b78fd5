// The Fibonacci race reaches its greatest value only if the two threads take strict turns.
// expect: assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe uninit=safe
// expect: arithmetic=safe overflow=safe leak=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int i = 1, j = 1;

static void *add_to_i(void *arg) {
    (void)arg;
    for (int k = 0; k < 2; k++)
        atomic_store(&i, atomic_load(&i) + atomic_load(&j));
    return NULL;
}

static void *add_to_j(void *arg) {
    (void)arg;
    for (int k = 0; k < 2; k++)
        atomic_store(&j, atomic_load(&j) + atomic_load(&i));
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, add_to_i, NULL);
    pthread_create(&b, NULL, add_to_j, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(i < 8 && j < 8); //~ assert
    return 0;
}
