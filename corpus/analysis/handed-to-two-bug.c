// Two threads of a loop are given the same object.
// expect: race=unsafe
#include <pthread.h>
#include <stdlib.h>

struct job {
    int number, result;
};

static void *run(void *arg) {
    struct job *job = arg;
    job->result = job->number + 1; //~ race
    return NULL;
}

int main(void) {
    struct job *job = malloc(sizeof *job);
    job->number = 1;
    for (int i = 0; i < 2; i++) {
        pthread_t t;
        pthread_create(&t, NULL, run, job);
    }
    pthread_exit(NULL);
}
