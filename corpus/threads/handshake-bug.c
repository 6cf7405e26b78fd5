// The parent raises its flag before the question is there.
// expect: race=unsafe assert=unsafe deadlock=safe memory=safe arithmetic=safe lock-misuse=safe uninit=safe

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
    answer = question + 1; //~ race
    atomic_store(&answered, 1);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, child, NULL);
    atomic_store(&asked, 1);
    question = 41; //~ race
    while (!atomic_load(&answered))
        ;
    assert(answer == 42); //~ assert
    pthread_join(thread, NULL);
    return 0;
}
