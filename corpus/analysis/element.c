// Each thread of a loop is given an element of its own, which is prepared before.
// expect: race=safe
// analysis: proves
#include <pthread.h>

struct job {
    int number, result;
};
struct job jobs[4];

static void *run(void *arg) {
    struct job *job = arg;
    job->result = job->number + 1;
    return NULL;
}

static void prepare(struct job *job, int number) { job->number = number; }

int main(void) {
    for (int i = 0; i < 3; i++) {
        pthread_t t;
        prepare(&jobs[i], i);
        pthread_create(&t, NULL, run, &jobs[i]);
    }
    pthread_exit(NULL);
}
