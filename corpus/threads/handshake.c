// Parent asks, child answers, parent goes on: two atomic flags in turn order everything between them.
// expect: default=safe overflow=safe
// final-states: 1

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int asked, answered;
static int question, answer;

static void *child(void *unused)
{
    (void)unused;
    while (!atomic_load(&asked))
        ;
    answer = question + 1;
    atomic_store(&answered, 1);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, child, NULL);
    question = 41;
    atomic_store(&asked, 1);
    while (!atomic_load(&answered))
        ;
    assert(answer == 42);
    pthread_join(thread, NULL);
    return 0;
}
