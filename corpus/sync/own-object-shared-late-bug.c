// An object on the heap is its thread's own, until the thread hands it out and goes on using it.
// expect: assert=unsafe race=unsafe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int *_Atomic handed;

static void *owner(void *arg) {
    int *own = calloc(2, sizeof *own);
    own[0] = 1;
    own[1] = 1;
    handed = own;
    own[0] = 2; //~ race
    own[1] = 2; //~ race
    return arg;
}

static void *borrower(void *arg) {
    int *other = handed;
    if (other) {
        int first = other[0];  //~ race
        int second = other[1]; //~ race
        assert(first == second); //~ assert
    }
    return arg;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, owner, 0);
    pthread_create(&second, 0, borrower, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
