// The thread that arrives first may see what main does after joining the other one.
// The two are alike until one has moved, but it matters which of them main joins first.
// expect: assert=unsafe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int arrived, word;
void *work(void *unused) {
    if (atomic_fetch_add(&arrived, 1) == 0)
        assert(atomic_load(&word) == 0); //~ assert
    return unused;
}
int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], 0, work, 0);
    pthread_create(&threads[1], 0, work, 0);
    pthread_join(threads[0], 0);
    word = 1;
    pthread_join(threads[1], 0);
}
