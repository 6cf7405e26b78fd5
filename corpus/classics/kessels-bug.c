// Kessels' algorithm with a missing negation: the right thread keeps the turn for itself.
// expect: assert=unsafe race=unsafe deadlock=safe memory=safe lock-misuse=safe uninit=safe
// expect: arithmetic=safe overflow=safe leak=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_bool wants[2];
static atomic_int bit[2]; // the turn is thread 0's if the bits differ
static int counter;

static void *left(void *arg) {
    (void)arg;
    wants[0] = true;
    int mine = bit[1];
    bit[0] = mine;
    while (wants[1] && bit[1] == mine)
        ;
    counter++; //~ race
    wants[0] = false;
    return NULL;
}

static void *right(void *arg) {
    (void)arg;
    wants[1] = true;
    int mine = bit[0]; // should be 1 - bit[0]
    bit[1] = mine;
    while (wants[0] && bit[0] != mine)
        ;
    counter++; //~ race
    wants[1] = false;
    return NULL;
}

int main(void) {
    pthread_t l, r;
    pthread_create(&l, NULL, left, NULL);
    pthread_create(&r, NULL, right, NULL);
    pthread_join(l, NULL);
    pthread_join(r, NULL);
    assert(counter == 2); //~ assert
    return 0;
}
