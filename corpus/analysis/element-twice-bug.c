// A loop around the loop hands every element over again.
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
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 2; i++) {
            pthread_t t;
            pthread_create(&t, NULL, run, &jobs[i]);
        }
    }
    pthread_exit(NULL);
}
