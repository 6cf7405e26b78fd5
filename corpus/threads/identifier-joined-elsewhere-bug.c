// Whether a new thread can get an identifier depends on what another thread joins in the meantime
// expect: assert=unsafe race=safe
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static pthread_t first, worker;
static sem_t known;

static void *tell(void *unused) {
    first = pthread_self();
    sem_post(&known);
    return unused;
}

static void *join(void *unused) {
    pthread_join(worker, 0);
    return unused;
}

static void *compare(void *unused) {
    assert(!pthread_equal(first, pthread_self())); //~ assert
    return unused;
}

int main(void) {
    pthread_t joiner, last;
    sem_init(&known, 0, 0);
    pthread_create(&worker, 0, tell, 0);
    pthread_create(&joiner, 0, join, 0);
    sem_wait(&known);
    pthread_create(&last, 0, compare, 0);
    pthread_join(joiner, 0);
    pthread_join(last, 0);
    return 0;
}
