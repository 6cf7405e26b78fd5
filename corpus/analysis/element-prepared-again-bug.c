// An element is prepared again in an inner loop, after it was handed over.
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
        for (int round = 0; round < 2; round++) {
            pthread_t t;
            jobs[i].number = round; //~ race
            if (round == 0) pthread_create(&t, NULL, run, &jobs[i]);
        }
    }
    pthread_exit(NULL);
}
