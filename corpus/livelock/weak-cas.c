// A weak compare-and-exchange may fail for no reason, but not for ever.
// expect: livelock=safe assert=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x;
static void add(void) {
    int seen = x;
    while (!atomic_compare_exchange_weak(&x, &seen, seen + 1)) {
    }
}
void *other(void *unused) {
    add();
    return unused;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    add();
    pthread_join(t, 0);
    assert(x == 2);
    return 0;
}
