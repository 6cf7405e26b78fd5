// A thread pool in small: each thread calls the function its task names.
// expect: default=safe overflow=safe

#include <assert.h>
#include <pthread.h>

struct task {
    int (*function)(int);
    int argument;
    int result;
};

static int square(int x) { return x * x; }
static int negate(int x) { return -x; }

static void *run(void *arg)
{
    struct task *task = arg;
    task->result = task->function(task->argument);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    struct task tasks[2] = {{square, 6, 0}, {negate, 4, 0}};
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, run, &tasks[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(tasks[0].result == 36 && tasks[1].result == -4);
    return 0;
}
