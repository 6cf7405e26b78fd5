// An element is prepared after it was handed over.
// expect: race=unsafe
#include <pthread.h>

struct job {
    int number, result;
};
struct job jobs[4];

static void *run(void *arg) {
    struct job *job = arg;
    job->result = job->number + 1; //~ race
    return NULL;
}

int main(void) {
    for (int i = 0; i < 2; i++) {
        pthread_t t;
        pthread_create(&t, NULL, run, &jobs[i]);
        jobs[i].number = i; //~ race
    }
    pthread_exit(NULL);
}
