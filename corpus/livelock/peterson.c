// Peterson's algorithm: whoever gives way lets the other in, so nobody goes round for ever.
// expect: livelock=safe assert=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int wants[2], turn;
atomic_int inside;
static void section(int me) {
    wants[me] = 1;
    turn = 1 - me;
    while (wants[1 - me] && turn == 1 - me) {
    }
    assert(inside++ == 0);
    inside--;
    wants[me] = 0;
}
void *other(void *unused) {
    section(1);
    return unused;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    section(0);
    pthread_join(t, 0);
    return 0;
}
