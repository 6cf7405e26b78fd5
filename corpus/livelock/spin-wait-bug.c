// A thread spins until a flag is set, which another does only if it comes first.
// expect: livelock=unsafe deadlock=safe
#include <pthread.h>
#include <stdatomic.h>
atomic_int flag, started;
void *set(void *unused) {
    if (!started) flag = 1;
    return unused;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, set, 0);
    started = 1;
    while (!flag) { //~ livelock
    }
    pthread_join(t, 0);
    return 0;
}
