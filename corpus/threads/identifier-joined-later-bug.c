// A join elsewhere decides which identifiers are free, and the thread that is joined ends in a step of its own, since others can see a local of it end
// expect: assert=unsafe race=safe
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static pthread_t first, worker;
static int *mark;
static sem_t known;

static void *tell(void *unused) {
    int local = 0;
    mark = &local;
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
