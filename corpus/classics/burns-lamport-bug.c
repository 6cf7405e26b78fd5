// The one-bit algorithm in which thread 1 does not look again after raising its flag.
// expect: assert=unsafe race=unsafe deadlock=safe memory=safe lock-misuse=safe uninit=safe
// expect: arithmetic=safe overflow=safe leak=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_bool flag[2];
static int counter;

static void *first(void *arg) {
    (void)arg;
    flag[0] = true;
    while (flag[1])
        ;
    counter++; //~ race
    flag[0] = false;
    return NULL;
}

static void *second(void *arg) {
    (void)arg;
    while (flag[0])
        ;
    flag[1] = true;
    counter++; //~ race
    flag[1] = false;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 2); //~ assert
    return 0;
}
