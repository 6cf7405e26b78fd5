// Two threads that are alike; the one that comes second waits for main, which waits for it while it holds the lock.
// The first one runs for ever if it comes first.
// expect: deadlock=unsafe
#include <pthread.h>
#include <stdatomic.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
atomic_int turn;
void *work(void *unused) {
    if (turn++ == 0)
        for (;;) {
        }
    pthread_mutex_lock(&m); //~ deadlock
    pthread_mutex_unlock(&m);
    return unused;
}
int main(void) {
    pthread_t t[2];
    pthread_mutex_lock(&m);
    for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, work, 0);
    for (int i = 0; i < 2; i++) pthread_join(t[i], 0); //~ deadlock
    pthread_mutex_unlock(&m);
    return 0;
}
