// Two threads that increment one counter without a lock: what a visible step costs.
#include <pthread.h>

static int counter;

static void *work(void *arg) {
    for (int i = 0; i < 1000; i++) {
        counter++;
    }
    return arg;
}

int main(void) {
    pthread_t other;
    pthread_create(&other, 0, work, 0);
    work(0);
    pthread_join(other, 0);
    return 0;
}
