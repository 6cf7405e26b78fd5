// The value a thread returns comes out of pthread_join.
// expect: default=safe overflow=safe leak=safe
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static void *square(void *arg) {
    intptr_t n = (intptr_t)arg;
    return (void *)(n * n);
}

int main(void) {
    pthread_t t[2];
    intptr_t sum = 0;
    for (intptr_t i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, square, (void *)(i + 2));
    for (int i = 0; i < 2; i++) {
        void *result;
        pthread_join(t[i], &result);
        sum += (intptr_t)result;
    }
    assert(sum == 4 + 9);
    return 0;
}
