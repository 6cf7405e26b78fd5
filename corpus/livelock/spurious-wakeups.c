// A thread that waits on a condition may wake for no reason, but that it does so for ever is no livelock; that
// nobody signals is a deadlock.
// expect: livelock=safe deadlock=unsafe
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int ready;
void *set(void *unused) {
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_mutex_unlock(&m);
    return unused;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, set, 0);
    pthread_mutex_lock(&m);
    while (!ready) pthread_cond_wait(&c, &m); //~ deadlock
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    return 0;
}
