// A consumer waits on a condition until a producer has put something in. A wait that ends
// without a reason does so only finitely often where executions have to be fair.
// ltl: safe weak F "taken == 1"
// ltl: safe strong F "taken == 1"
// ltl: unsafe none F "taken == 1"
// ltl: safe none G ("full == 1" -> "taken == 0")
// ltl: safe weak F terminated
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
int full, taken;

void *consumer(void *arg) {
    pthread_mutex_lock(&mutex);
    while (!full)
        pthread_cond_wait(&filled, &mutex);
    full = 0;
    taken = 1;
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, consumer, 0);
    pthread_mutex_lock(&mutex);
    full = 1;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, 0);
}
