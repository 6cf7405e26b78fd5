// Two threads take turns with one condition variable and a broadcast.
// expect: default=safe overflow=safe leak=safe
// final-states: 1
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t passed_on = PTHREAD_COND_INITIALIZER;
static int turn;
static int order[4], steps;

static void *player(void *arg) {
    int me = (int)(intptr_t)arg;
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&lock);
        while (turn != me)
            pthread_cond_wait(&passed_on, &lock);
        order[steps++] = me;
        turn = 1 - me;
        pthread_cond_broadcast(&passed_on);
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(void) {
    pthread_t t[2];
    for (intptr_t i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, player, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    for (int i = 0; i < 4; i++)
        assert(order[i] == i % 2);
    return 0;
}
