// Two threads count up a shared counter without a lock: an update can be lost.
#include <assert.h>
#include <pthread.h>

int counter;

static void *count(void *unused) {
    counter++;
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, count, 0);
    pthread_create(&b, 0, count, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(counter == 2);
    return 0;
}
