// The same through pthread_equal, with identifiers in memory of the heap.
// expect: assert=unsafe
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct pair {
    pthread_t first, second;
};

static void *start(void *argument) { return 0; }

int main(void) {
    struct pair *pair = malloc(sizeof *pair);
    pthread_create(&pair->first, 0, start, 0);
    pthread_join(pair->first, 0);
    pthread_create(&pair->second, 0, start, 0);
    assert(!pthread_equal(pair->first, pair->second)); //~ assert
    pthread_join(pair->second, 0);
    free(pair);
    return 0;
}
