// A broadcast wakes all waiters; the gate stays open for late ones.
// expect: default=safe overflow=safe leak=safe
// final-states: 1
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t lock;
static pthread_cond_t opened;
static bool gate_open;
static int passed;

static void *walker(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock);
    while (!gate_open)
        pthread_cond_wait(&opened, &lock);
    passed++;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t t[2];
    pthread_mutex_init(&lock, NULL);
    pthread_cond_init(&opened, NULL);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, walker, NULL);

    pthread_mutex_lock(&lock);
    gate_open = true;
    pthread_cond_broadcast(&opened);
    pthread_mutex_unlock(&lock);

    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(passed == 2);
    pthread_cond_destroy(&opened);
    pthread_mutex_destroy(&lock);
    return 0;
}
