// The array moves by one element while the index grows by one.
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
    struct job *first = &jobs[2];
    for (int i = 0; i < 2; i++, first--) {
        pthread_t t;
        pthread_create(&t, NULL, run, &first[i]);
    }
    pthread_exit(NULL);
}
