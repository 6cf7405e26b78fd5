// The counter is set back, so that an element is handed over twice.
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
    int again = 1;
    for (int i = 0; i < 2; i++) {
        pthread_t t;
        pthread_create(&t, NULL, run, &jobs[i]);
        if (again) i = -1;
        again = 0;
    }
    pthread_exit(NULL);
}
