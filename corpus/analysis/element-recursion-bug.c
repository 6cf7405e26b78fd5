// A thread calls its own first function with the element of another one.
// expect: race=unsafe
#include <pthread.h>

struct job {
    int number, result;
};
struct job jobs[4];

static void *run(void *arg) {
    struct job *job = arg;
    job->result++; //~ race
    return job == jobs ? run(job + 1) : NULL;
}

int main(void) {
    for (int i = 0; i < 2; i++) {
        pthread_t t;
        pthread_create(&t, NULL, run, &jobs[i]);
    }
    pthread_exit(NULL);
}
