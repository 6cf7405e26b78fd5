// Each step is under the lock, but what is done between two of them is lost.
#include <assert.h>
#include <pthread.h>

int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *add(void *unused) {
    pthread_mutex_lock(&m);
    int old = x;
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    x = old + 1;
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, add, 0);
    add(0);
    pthread_join(t, 0);
    assert(x == 2);
    return 0;
}
