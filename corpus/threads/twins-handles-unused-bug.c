// Four threads that are alike, whose handles are overwritten and never used.
// expect: assert=unsafe
#include <assert.h>
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;
void *work(void *unused) {
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    assert(x < 4); //~ assert
    pthread_mutex_unlock(&m);
    return unused;
}
int main(void) {
    pthread_t thread;
    for (int i = 0; i < 4; i++)
        pthread_create(&thread, 0, work, 0);
    pthread_exit(0);
}
