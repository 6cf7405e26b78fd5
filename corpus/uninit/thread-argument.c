// Every field of the thread's argument is set.
// expect: default=safe overflow=safe
// final-states: 1

#include <pthread.h>
#include <stdbool.h>

struct task {
    int amount;
    bool verbose;
};

static int done;

static void prepare(struct task *task, int amount)
{
    *task = (struct task){.amount = amount};
}

static void *run(void *arg)
{
    struct task *task = arg;
    done = task->amount;
    if (task->verbose)
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
