// Variables of the environment are set before there are other threads, and asked for by several.
// expect: default=safe
// inputs: too many

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static void *ask(void *argument)
{
    assert(!strcmp(getenv("MODE"), "fast"));
    return 0;
}

int main(void)
{
    pthread_t thread;
    setenv("MODE", "fast", 1);
    pthread_create(&thread, 0, ask, 0);
    ask(0);
    pthread_join(thread, 0);
    return 0;
}
