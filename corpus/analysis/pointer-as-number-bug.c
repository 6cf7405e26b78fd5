// The number of an address of the heap is neither 0 nor negative.
// expect: assert=unsafe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static long number;

static void *look(void *unused) {
    (void)unused;
    assert(number <= 0); //~ assert
    return NULL;
}

int main(void) {
    pthread_t thread;
    void *memory = malloc(4);
    number = (long)memory;
    pthread_create(&thread, NULL, look, NULL);
    pthread_join(thread, NULL);
    free(memory);
    return 0;
}
