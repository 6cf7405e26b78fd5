// The update is made under the lock, but the result is read again after the unlock.
// expect: race=unsafe assert=unsafe deadlock=safe memory=safe lock-misuse=safe uninit=safe
// expect: arithmetic=safe overflow=safe leak=safe
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int next_id;
static int id[2];

static void *worker(void *arg) {
    int *mine = arg;
    pthread_mutex_lock(&lock);
    next_id++;
    pthread_mutex_unlock(&lock);
    *mine = next_id; //~ race
    return NULL;
}

int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, &id[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(id[0] != id[1]); //~ assert
    return 0;
}
