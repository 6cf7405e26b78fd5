// A pool of two workers; one of the jobs calls a function without a body, of which nothing is known.
// expect: default=unknown assert=unknown
#include <assert.h>
#include <pthread.h>

void upload(int job);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int jobs[2] = {1, 3};
static int next, done;

static void *worker(void *unused) {
    pthread_mutex_lock(&lock);
    int job = jobs[next++];
    pthread_mutex_unlock(&lock);
    if (job > 2) upload(job);
    pthread_mutex_lock(&lock);
    done += job;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, worker, 0);
    for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
    assert(done == 4);
}
