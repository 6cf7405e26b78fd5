// A thread whose function returns nothing has no result to rely on.
// expect: uninit=unsafe
#include <pthread.h>

int count;

static void work(void *argument) { count++; }

int main(void) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, 0, (void *(*)(void *))work, 0);
    pthread_join(thread, &result);
    if (result) count = 0; //~ uninit
    return 0;
}
