// Two threads that both run have different identifiers.
// expect: default=safe
#include <assert.h>
#include <pthread.h>

static void *start(void *argument) { return 0; }

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, start, 0);
    pthread_create(&second, 0, start, 0);
    assert(!pthread_equal(first, second) && first != second);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
