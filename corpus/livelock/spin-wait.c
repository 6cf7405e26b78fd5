// A thread spins until another sets a flag: a fair execution sets it.
// expect: livelock=safe
#include <pthread.h>
#include <stdatomic.h>
atomic_int flag;
void *set(void *unused) {
    flag = 1;
    return unused;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, set, 0);
    while (!flag) {
    }
    pthread_join(t, 0);
    return 0;
}
