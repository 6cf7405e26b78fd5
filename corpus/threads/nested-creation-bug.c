// A thread creates another one and ends without joining it: main's join does not cover the grandchild.
// expect: race=unsafe assert=unsafe deadlock=safe memory=safe arithmetic=safe lock-misuse=safe uninit=safe

#include <assert.h>
#include <pthread.h>

static int steps;

static void *inner(void *unused)
{
    (void)unused;
    steps = 2; //~ race
    return NULL;
}

static void *outer(void *unused)
{
    (void)unused;
    pthread_t thread;
    steps = 1;
    pthread_create(&thread, NULL, inner, NULL);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, outer, NULL);
    pthread_join(thread, NULL);
    assert(steps == 2); //~ assert
    return 0;
}
