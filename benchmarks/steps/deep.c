// A recursion of DEPTH calls, each of which does something that the other thread
// could observe.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int calls;

void *worker(void *arg) {
    return 0;
}

int deep(int n) {
    calls++;
    return n == 0 ? 0 : 1 + deep(n - 1);
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    int depth = deep(DEPTH);
    assert(depth == DEPTH);
    pthread_join(thread, 0);
}
