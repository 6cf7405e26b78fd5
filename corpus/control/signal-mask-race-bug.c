// Blocking signals in two threads orders nothing.
// expect: race=unsafe
#include <pthread.h>
#include <signal.h>

static int count;

static void block(void)
{
    sigset_t signals;
    sigemptyset(&signals);
    pthread_sigmask(SIG_SETMASK, &signals, 0);
}

static void *work(void *argument)
{
    count++; //~ race
    block();
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    block();
    count++; //~ race
    pthread_join(thread, 0);
    return 0;
}
