// Each thread of a loop is given an object of its own.
// expect: race=safe
// analysis: proves
#include <pthread.h>
#include <stdlib.h>

struct job {
    int number, result;
};

static void *run(void *arg) {
    struct job *job = arg;
    job->result = job->number + 1;
    free(job);
    return NULL;
}

int main(void) {
    for (int i = 0; i < 3; i++) {
        struct job *job = malloc(sizeof *job);
        pthread_t t;
        job->number = i;
        pthread_create(&t, NULL, run, job);
    }
    pthread_exit(NULL);
}
