// Two threads share one heap object through pointers of their own.
// expect: race=unsafe assert=safe deadlock=safe memory=safe leak=safe lock-misuse=safe uninit=safe
// expect: arithmetic=safe overflow=safe
#include <pthread.h>
#include <stdlib.h>

struct job {
    int *result;
};

static void *worker(void *arg) {
    struct job *job = arg;
    *job->result += 1; //~ race
    return NULL;
}

int main(void) {
    int *result = malloc(sizeof *result);
    *result = 0;
    struct job jobs[2] = {{result}, {result}};
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, &jobs[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    free(result);
    return 0;
}
