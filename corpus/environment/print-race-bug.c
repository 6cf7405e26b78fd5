// One thread prints a text that another one changes.
// expect: race=unsafe assert=safe memory=safe

#include <pthread.h>
#include <stdio.h>

static char status[4] = "ok";

static void *fail(void *unused)
{
    status[0] = 'n'; //~ race
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, fail, 0);
    printf("status: %s\n", status); //~ race
    pthread_join(thread, 0);
    return 0;
}
