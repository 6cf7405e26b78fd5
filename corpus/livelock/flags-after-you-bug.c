// Two threads raise their flags, see each other's, and both step back: after you, for ever.
// expect: livelock=unsafe assert=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int wants[2];
atomic_int inside;
static void enter(int me) {
    wants[me] = 1; //~ livelock
    while (wants[1 - me]) { //~ livelock
        wants[me] = 0; //~ livelock
        wants[me] = 1; //~ livelock
    }
    assert(inside++ == 0);
    inside--;
    wants[me] = 0;
}
void *other(void *unused) {
    enter(1);
    return unused;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    enter(0);
    pthread_join(t, 0);
    return 0;
}
