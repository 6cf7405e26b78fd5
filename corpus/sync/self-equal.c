// A thread's own id is the one its creator got, and differs from its creator's.
// expect: default=safe overflow=safe leak=safe
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t id_known;
static pthread_t main_id, worker_id;

static void *worker(void *arg) {
    (void)arg;
    sem_wait(&id_known);
    assert(pthread_equal(pthread_self(), worker_id));
    assert(!pthread_equal(pthread_self(), main_id));
    return NULL;
}

int main(void) {
    sem_init(&id_known, 0, 0);
    main_id = pthread_self();
    pthread_create(&worker_id, NULL, worker, NULL);
    sem_post(&id_known);
    pthread_join(worker_id, NULL);
    return 0;
}
