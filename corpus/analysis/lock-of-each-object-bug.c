// Locks in heap objects of one allocation are different locks.
// expect: race=unsafe
#include <pthread.h>
#include <stdlib.h>

struct job {
    pthread_mutex_t m;
    int *sum;
};
int sum;

static void *run(void *arg) {
    struct job *job = arg;
    pthread_mutex_lock(&job->m);
    (*job->sum)++; //~ race
    pthread_mutex_unlock(&job->m);
    return NULL;
}

int main(void) {
    for (int i = 0; i < 2; i++) {
        struct job *job = malloc(sizeof *job);
        pthread_t t;
        pthread_mutex_init(&job->m, NULL);
        job->sum = &sum;
        pthread_create(&t, NULL, run, job);
    }
    pthread_exit(NULL);
}
