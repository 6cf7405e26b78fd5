// The queue of jobs with workers that look again after they were woken: `while`
// in place of `if`.
#include <assert.h>
#include <pthread.h>

#define JOBS 2

static int jobs[JOBS], count, sum;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t available = PTHREAD_COND_INITIALIZER;

static void submit(int job) {
    pthread_mutex_lock(&lock);
    jobs[count++] = job;
    pthread_cond_signal(&available);
    pthread_mutex_unlock(&lock);
}

static int take(void) {
    pthread_mutex_lock(&lock);
    while (count == 0)
        pthread_cond_wait(&available, &lock);
    int job = jobs[--count];
    pthread_mutex_unlock(&lock);
    return job;
}

static void *work(void *unused) {
    int job = take();
    pthread_mutex_lock(&lock);
    sum += job;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t workers[JOBS];
    for (int i = 0; i < JOBS; i++)
        pthread_create(&workers[i], 0, work, 0);
    for (int i = 0; i < JOBS; i++)
        submit(i + 1);
    for (int i = 0; i < JOBS; i++)
        pthread_join(workers[i], 0);
    assert(sum == 3);
    return 0;
}
