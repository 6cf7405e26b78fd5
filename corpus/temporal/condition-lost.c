// The signal may come before the consumer waits: it then waits for ever.
// ltl: unsafe weak F "taken == 1"
// ltl: unsafe strong F terminated
// ltl: safe weak F "full == 1"
// ltl: safe none G ("taken == 1" -> "full == 1")
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
int full, taken;

void *consumer(void *arg) {
    pthread_mutex_lock(&mutex);
    pthread_cond_wait(&filled, &mutex);
    if (full)
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
