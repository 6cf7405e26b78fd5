// A thread branches on the field of its argument that main forgot.
// expect: uninit=unsafe assert=safe race=safe deadlock=safe memory=safe arithmetic=safe lock-misuse=safe

#include <pthread.h>
#include <stdbool.h>

struct task {
    int amount;
    bool verbose;
};

static int done;

static void prepare(struct task *task, int amount)
{
    task->amount = amount;
}

static void *run(void *arg)
{
    struct task *task = arg;
    done = task->amount;
    if (task->verbose) //~ uninit
        done++;
    return NULL;
}

int main(void)
{
    pthread_t thread;
    struct task task;
    prepare(&task, 3);
    pthread_create(&thread, NULL, run, &task);
    pthread_join(thread, NULL);
    return 0;
}
