// A thread may never get a mutex that another one takes again and again: it can move now
// and then, which only strong fairness counts.
// ltl: unsafe weak F "entered == 1"
// ltl: safe strong F "entered == 1"
// ltl: unsafe none F "entered == 1"
// ltl: unsafe weak F terminated
// ltl: safe strong F terminated
// ltl: safe none G ("entered == 1" -> G "entered == 1")
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int entered, turns;

void *again(void *arg) {
    for (;;) {
        pthread_mutex_lock(&mutex);
        int stop = entered;
        turns = !turns;
        pthread_mutex_unlock(&mutex);
        if (stop)
            return 0;
    }
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, again, 0);
    pthread_mutex_lock(&mutex);
    entered = 1;
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, 0);
}
