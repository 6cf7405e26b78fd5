// Threads that ask for their own handle and take it for a number: which one a thread has depends on the order of
// creation, so that the two are not interchangeable.
// expect: assert=unsafe
#include <assert.h>
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
unsigned long sum;
int first = 1;
void *work(void *unused) {
    pthread_mutex_lock(&m);
    if (first) sum = (unsigned long)pthread_self() % 2;
    first = 0;
    pthread_mutex_unlock(&m);
    return unused;
}
int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, work, 0);
    for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
    assert(sum == 0); //~ assert
    return 0;
}
