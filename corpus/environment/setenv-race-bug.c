// One thread sets a variable of the environment while another asks for one.
// expect: race=unsafe

#include <pthread.h>
#include <stdlib.h>

static void *change(void *argument)
{
    setenv("MODE", "fast", 1); //~ race
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, change, 0);
    const char *level = getenv("LEVEL"); //~ race
    pthread_join(thread, 0);
    return level != 0;
}
