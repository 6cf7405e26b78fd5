// A program that calls assert without its header means the assertion, also in other tools' words.
// expect: default=safe
// final-states: 1

#include <pthread.h>
#include <stddef.h>

void __VERIFIER_assert(int condition);

static _Atomic int counter;

static void *worker(void *unused)
{
    (void)unused;
    counter++;
    assert(counter > 0);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    worker(NULL);
    pthread_join(thread, NULL);
    assert(counter == 2);
    __VERIFIER_assert(counter != 1);
    return 0;
}
