// The thread is joined inside the block that holds its job.
// expect: default=safe

#include <assert.h>
#include <pthread.h>

struct job {
    int input;
    int output;
};

static void *run(void *arg)
{
    struct job *job = arg;
    job->output = job->input + 1;
    return NULL;
}

int main(void)
{
    pthread_t thread;
    {
        struct job job = {4, 0};
        pthread_create(&thread, NULL, run, &job);
        pthread_join(thread, NULL);
        assert(job.output == 5);
    }
    return 0;
}
