// A handler that another thread is made to run cannot be followed.
// expect: race=unknown
#include <pthread.h>
#include <signal.h>

int count;

static void add(int signal) { count++; }

static void *work(void *argument) {
    count++;
    return 0;
}

int main(void) {
    pthread_t thread;
    signal(SIGUSR2, add);
    pthread_create(&thread, 0, work, 0);
    pthread_kill(thread, SIGUSR2);
    pthread_join(thread, 0);
    return 0;
}
