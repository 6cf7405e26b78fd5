// The Fibonacci race on plain integers is a data race, whatever the numbers.
// expect: race=unsafe assert=safe overflow=safe deadlock=safe memory=safe lock-misuse=safe uninit=safe
// expect: arithmetic=safe leak=safe
#include <assert.h>
#include <pthread.h>

static int i = 1, j = 1;

static void *add_to_i(void *arg) {
    (void)arg;
    for (int k = 0; k < 2; k++)
        i += j; //~ race
    return NULL;
}

static void *add_to_j(void *arg) {
    (void)arg;
    for (int k = 0; k < 2; k++)
        j += i; //~ race
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, add_to_i, NULL);
    pthread_create(&b, NULL, add_to_j, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(i <= 8 && j <= 8);
    return 0;
}
