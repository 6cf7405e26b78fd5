// A thread polls under a mutex, which the other needs to end the polling: it can have it again and again, so a
// fair execution gives it to it.
// expect: livelock=safe deadlock=safe
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int done;
void *finish(void *unused) {
    pthread_mutex_lock(&m);
    done = 1;
    pthread_mutex_unlock(&m);
    return unused;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, finish, 0);
    int seen;
    do {
        pthread_mutex_lock(&m);
        seen = done;
        pthread_mutex_unlock(&m);
    } while (!seen);
    pthread_join(t, 0);
    return 0;
}
