// The one-bit algorithm of Burns and Lamport: thread 1 steps back when thread 0 wants in.
// expect: default=safe overflow=safe leak=safe
// final-states: 1
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
    counter++;
    flag[0] = false;
    return NULL;
}

static void *second(void *arg) {
    (void)arg;
    for (;;) {
        while (flag[0])
            ;
        flag[1] = true;
        if (!flag[0])
            break;
        flag[1] = false;
    }
    counter++;
    flag[1] = false;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 2);
    return 0;
}
