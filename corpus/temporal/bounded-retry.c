// A thread tries to get a mutex twice and then gives up (2), so that it ends in any case.
// ltl: safe none F terminated
// ltl: safe none F "result != 0"
// ltl: unsafe none F "result == 1"
// ltl: unsafe strong F "result == 2"
// ltl: safe none G ("result == 2" -> "tries == 2")
#include <pthread.h>
#include <stdatomic.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
atomic_int tries, result;

void *holder(void *arg) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, holder, 0);
    for (int i = 0; i < 2; i++) {
        atomic_store(&tries, i + 1);
        if (pthread_mutex_trylock(&mutex) == 0) {
            pthread_mutex_unlock(&mutex);
            atomic_store(&result, 1);
            break;
        }
    }
    if (!atomic_load(&result))
        atomic_store(&result, 2);
    pthread_join(thread, 0);
}
