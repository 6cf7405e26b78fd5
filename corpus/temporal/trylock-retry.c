// A thread that only tries to get a mutex can always move, so that no fairness helps it.
// ltl: unsafe weak F got
// ltl: unsafe strong F got
// ltl: safe weak F got || G F other
// ltl: unsafe none F got || G F other
// ltl: safe none G (got -> !other)
#include <pthread.h>
#include <threadproof.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void *often(void *arg) {
    for (;;) {
        pthread_mutex_lock(&mutex);
        tp_label("other");
        pthread_mutex_unlock(&mutex);
    }
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, often, 0);
    while (pthread_mutex_trylock(&mutex))
        ;
    tp_label("got");
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, 0);
}
