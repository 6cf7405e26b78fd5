// Two threads swing a common position, but one of them a multiple of three times, which may
// be odd. In the end the position need not be where it was.
// expect: assert=unsafe
// loops: by inputs
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <threadproof.h>

static _Atomic unsigned position;
static unsigned rounds, first, second;
static bool forth[2];

static void *by_one(void *arg) {
    (void)arg;
    while (first < 3 * rounds) {
        if (forth[0]) position++;
        else position--;
        forth[0] = !forth[0];
        first++;
    }
    return NULL;
}

static void *by_two(void *arg) {
    (void)arg;
    while (second < 2 * rounds) {
        if (forth[1]) position += 2;
        else position -= 2;
        forth[1] = !forth[1];
        second++;
    }
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    rounds = tp_nondet_uint();
    position = tp_nondet_uint();
    first = tp_nondet_uint();
    second = tp_nondet_uint();
    forth[0] = tp_nondet_bool();
    forth[1] = tp_nondet_bool();
    tp_assume(position == first && position == second && position == 0);
    pthread_create(&threads[0], NULL, by_one, NULL);
    pthread_create(&threads[1], NULL, by_two, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    assert(position == 0);
    return 0;
}
