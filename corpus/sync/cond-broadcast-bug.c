// One signal for two waiters: the second sleeps on though the gate is open.
// expect: deadlock=unsafe assert=safe race=safe memory=safe lock-misuse=safe uninit=safe
// expect: arithmetic=safe overflow=safe leak=safe
// final-states: 1
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t opened = PTHREAD_COND_INITIALIZER;
static bool gate_open;
static int passed;

static void *walker(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock);
    while (!gate_open)
        pthread_cond_wait(&opened, &lock); //~ deadlock
    passed++;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, walker, NULL);

    pthread_mutex_lock(&lock);
    gate_open = true;
    pthread_cond_signal(&opened); // should be a broadcast
    pthread_mutex_unlock(&lock);

    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL); //~ deadlock
    assert(passed == 2);
    return 0;
}
