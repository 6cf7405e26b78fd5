// Giving a lock back lets a thread go on that waits for it within a section, and then no other moves.
// expect: assert=unsafe
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t begun;
static int value;

static void *reader(void *arg) {
    __VERIFIER_atomic_begin();
    sem_post(&begun);
    pthread_mutex_lock(&lock);
    int seen = value;
    pthread_mutex_unlock(&lock);
    __VERIFIER_atomic_end();
    assert(seen == 0); //~ assert
    return arg;
}

static void *writer(void *arg) {
    sem_wait(&begun);
    value = 1;
    return arg;
}

int main(void) {
    pthread_t threads[2];
    sem_init(&begun, 0, 0);
    pthread_mutex_lock(&lock);
    pthread_create(&threads[0], 0, writer, 0);
    pthread_create(&threads[1], 0, reader, 0);
    pthread_mutex_unlock(&lock);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    return 0;
}
