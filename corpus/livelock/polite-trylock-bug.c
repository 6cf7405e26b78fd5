// Each of two threads holds one lock and politely gives it back when the other is taken: they may do so for ever.
// expect: livelock=unsafe deadlock=safe assert=safe
#include <pthread.h>
#include <sched.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static void both(pthread_mutex_t *mine, pthread_mutex_t *other) {
    pthread_mutex_lock(mine);
    while (pthread_mutex_trylock(other)) { //~ livelock
        pthread_mutex_unlock(mine);        //~ livelock
        sched_yield();
        pthread_mutex_lock(mine);          //~ livelock
    }
    pthread_mutex_unlock(other);
    pthread_mutex_unlock(mine);
}
void *first(void *unused) {
    both(&a, &b);
    return unused;
}
void *second(void *unused) {
    both(&b, &a);
    return unused;
}
int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, first, 0);
    pthread_create(&u, 0, second, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
