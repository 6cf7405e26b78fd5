// A compound literal ends with its block: a thread that got a pointer to it looks at it too late.
// expect: memory=unsafe default=unsafe
#include <pthread.h>

struct job {
    int first, last;
};

static pthread_t thread;

static void *work(void *arg) {
    struct job *job = arg;
    return job->first < job->last ? job : 0; //~ memory
}

int main(void) {
    for (int i = 0; i < 2; i++) {
        if (i == 0) {
            pthread_create(&thread, 0, work, &(struct job){.first = i, .last = i + 1});
        } else {
            pthread_join(thread, 0);
        }
    }
    return 0;
}
