// Two threads take turns in a monitor. Without fairness, a wait may end without a reason for ever.
// ltl: safe weak G F "turn == 0" && G F "turn == 1"
// ltl: unsafe none G F "turn == 1"
// ltl: unsafe weak F G "turn == 0"
// ltl: safe strong G ("turn == 0" -> F "turn == 1")
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int turn;

static void take_turns(int me) {
    for (;;) {
        pthread_mutex_lock(&mutex);
        while (turn != me)
            pthread_cond_wait(&changed, &mutex);
        turn = 1 - me;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&mutex);
    }
}

void *second(void *arg) {
    take_turns(1);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, second, 0);
    take_turns(0);
}
