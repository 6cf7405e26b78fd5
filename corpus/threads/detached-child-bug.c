// A thread that starts and detaches another shares a pointer without protection.
// expect: race=unsafe assert=safe deadlock=safe memory=unsafe lock-misuse=safe

#include <pthread.h>
#include <stdatomic.h>

int *cell;
int seen_value;
_Atomic int ended;
_Thread_local int own;

static void *child(void *arg)
{
    ended++;
    return arg;
}

static void *reader(void *arg)
{
    int *seen = cell; //~ race
    if (seen)
        seen_value = *seen; //~ race memory
    pthread_t handle;
    pthread_create(&handle, 0, child, 0);
    pthread_detach(handle);
    return arg;
}

static void *publisher(void *arg)
{
    cell = &own; //~ race
    return arg;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], 0, reader, 0);
    pthread_create(&threads[1], 0, publisher, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    return 0;
}
