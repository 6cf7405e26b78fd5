// A pool of two workers; a job of the second kind would call a function without a body, but there is none.
// expect: default=safe
#include <assert.h>
#include <pthread.h>

void upload(int job);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int jobs[3] = {1, 2, 1};
static int next, done;

static void *worker(void *unused) {
    for (;;) {
        pthread_mutex_lock(&lock);
        int job = next < 3 ? jobs[next++] : 0;
        pthread_mutex_unlock(&lock);
        if (job == 0) return 0;
        if (job > 2) upload(job);
        pthread_mutex_lock(&lock);
        done += job;
        pthread_mutex_unlock(&lock);
    }
}

int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, worker, 0);
    for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
    assert(done == 4);
}
