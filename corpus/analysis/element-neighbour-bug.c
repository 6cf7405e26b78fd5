// A thread looks at the element of the next one.
// expect: race=unsafe
#include <pthread.h>

struct job {
    int number, result;
};
struct job jobs[4];

static void *run(void *arg) {
    struct job *job = arg;
    job[0].result = job[1].result; //~ race
    return NULL;
}

int main(void) {
    for (int i = 0; i < 2; i++) {
        pthread_t t;
        pthread_create(&t, NULL, run, &jobs[i]);
    }
    pthread_exit(NULL);
}
