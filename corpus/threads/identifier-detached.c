// A detached thread that still waits has its identifier for itself
// expect: default=safe
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static pthread_t first;
static sem_t known, compared;

static void *tell(void *unused) {
    pthread_detach(pthread_self());
    first = pthread_self();
    sem_post(&known);
    sem_wait(&compared);
    return unused;
}

static void *compare(void *unused) {
    assert(!pthread_equal(first, pthread_self()));
    sem_post(&compared);
    return unused;
}

int main(void) {
    pthread_t a, b;
    sem_init(&known, 0, 0);
    sem_init(&compared, 0, 0);
    pthread_create(&a, 0, tell, 0);
    sem_wait(&known);
    pthread_create(&b, 0, compare, 0);
    pthread_join(b, 0);
    return 0;
}
