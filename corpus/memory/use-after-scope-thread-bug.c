// A thread works on a block-local job after the block that started it has ended.
// expect: memory=unsafe assert=safe deadlock=safe arithmetic=safe lock-misuse=safe uninit=safe

#include <pthread.h>

struct job {
    int input;
};

static int output;

static void *run(void *arg)
{
    struct job *job = arg;
    output = job->input + 1; //~ memory
    return NULL;
}

int main(void)
{
    pthread_t thread;
    {
        struct job job = {4};
        pthread_create(&thread, NULL, run, &job);
    }
    pthread_join(thread, NULL);
    return 0;
}
