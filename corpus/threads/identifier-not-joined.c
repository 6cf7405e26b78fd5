// A thread that ended keeps its identifier until it is joined, so that a new thread has another one
// expect: default=safe
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static pthread_t first;
static sem_t known;

static void *tell(void *unused) {
    first = pthread_self();
    sem_post(&known);
    return unused;
}

static void *compare(void *unused) {
    sem_wait(&known);
    assert(!pthread_equal(first, pthread_self()));
    return unused;
}

int main(void) {
    pthread_t a, b;
    sem_init(&known, 0, 0);
    pthread_create(&a, 0, tell, 0);
    pthread_create(&b, 0, compare, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(!pthread_equal(a, b));
    return 0;
}
