// Two threads take two locks in different orders: an execution that ends in a deadlock
// stays in its last state for ever.
// ltl: unsafe weak F terminated
// ltl: unsafe strong F terminated
// ltl: unsafe weak F "done == 2"
// ltl: safe none G "done >= 0"
// ltl: safe none G ("done == 2" -> F terminated) || true
// ltl: safe weak G ("done == 2" -> F terminated)
// ltl: unsafe none G ("done == 1" -> "done == 1" W terminated)
#include <pthread.h>

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
int done;

void *other(void *arg) {
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    done++;
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, other, 0);
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    done++;
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    pthread_join(thread, 0);
}
