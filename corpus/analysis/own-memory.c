// Every thread has its own stack and its own instance of a thread-local variable.
// expect: race=safe
// analysis: proves
#include <pthread.h>

_Thread_local int own;

static void add(int *sum) { (*sum)++; }

static void *run(void *arg) {
    int sum = 0;
    add(&sum);
    add(&own);
    return NULL;
}

int main(void) {
    for (int i = 0; i < 2; i++) {
        pthread_t t;
        pthread_create(&t, NULL, run, NULL);
    }
    pthread_exit(NULL);
}
