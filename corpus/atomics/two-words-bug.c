// A plain access of two words is not one step: others see one word of it changed.
// expect: assert=unsafe race=unsafe
#include <assert.h>
#include <pthread.h>

#define ONES (~(unsigned __int128)0)

unsigned __int128 shared;

static void *fill(void *argument) {
    shared = ONES; //~ race
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, fill, 0);
    unsigned __int128 seen = shared; //~ race
    assert(seen == 0 || seen == ONES); //~ assert
    pthread_join(thread, 0);
    return 0;
}
