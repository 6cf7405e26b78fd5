// A handler locks the mutex that the interrupted code holds.
// expect: lock-misuse=unsafe
#include <pthread.h>
#include <signal.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int count;

static void add(int signal) {
    pthread_mutex_lock(&mutex); //~ lock-misuse
    count++;
    pthread_mutex_unlock(&mutex);
}

int main(void) {
    struct sigaction action = {.sa_handler = add};
    sigaction(SIGTERM, &action, 0);
    pthread_mutex_lock(&mutex);
    raise(SIGTERM);
    pthread_mutex_unlock(&mutex);
    return 0;
}
