// A thread waits with a time limit, again and again, for a signal whose condition nobody makes true.
// expect: livelock=unsafe
#include <pthread.h>
#include <time.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int ready;
void *signal_only(void *unused) {
    pthread_mutex_lock(&m);
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return unused;
}
int main(void) {
    pthread_t t;
    struct timespec limit = {1, 0};
    pthread_create(&t, 0, signal_only, 0);
    pthread_mutex_lock(&m);
    while (!ready) pthread_cond_timedwait(&c, &m, &limit); //~ livelock
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    return 0;
}
