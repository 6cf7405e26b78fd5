// Both threads take the locks in the same order and wait for the first: whoever has it gets the second.
// expect: livelock=safe deadlock=safe
#include <pthread.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
void *both(void *unused) {
    pthread_mutex_lock(&a);
    while (pthread_mutex_trylock(&b)) {
        pthread_mutex_unlock(&a);
        pthread_mutex_lock(&a);
    }
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return unused;
}
int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, both, 0);
    pthread_create(&u, 0, both, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
