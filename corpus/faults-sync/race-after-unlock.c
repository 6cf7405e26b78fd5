// The result of the update is taken along before the unlock.
// expect: default=safe overflow=safe leak=safe
// final-states: 2
// (who came first)
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int next_id;
static int id[2];

static void *worker(void *arg) {
    int *mine = arg;
    pthread_mutex_lock(&lock);
    *mine = ++next_id;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, &id[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(id[0] != id[1]);
    return 0;
}
