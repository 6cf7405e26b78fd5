// A new thread may have the identifier of one that was joined, also where no thread asks for its own.
// expect: assert=unsafe
#include <assert.h>
#include <pthread.h>

static void *start(void *argument) { return 0; }

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, start, 0);
    pthread_join(first, 0);
    pthread_create(&second, 0, start, 0);
    assert(first != second); //~ assert
    pthread_join(second, 0);
    return 0;
}
