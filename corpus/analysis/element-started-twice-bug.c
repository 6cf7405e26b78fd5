// The loop that hands out the elements is in a function that another loop calls.
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

static void start(void) {
    for (int i = 0; i < 2; i++) {
        pthread_t t;
        pthread_create(&t, NULL, run, &jobs[i]);
    }
}

int main(void) {
    for (int round = 0; round < 2; round++) start();
    pthread_exit(NULL);
}
