// A signal without a handler does not end the process if the thread that gets it has blocked it.
// expect: assert=unknown
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>

static sem_t blocked, sent;

static void *work(void *argument)
{
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &signals, 0);
    sem_post(&blocked);
    sem_wait(&sent);
    return 0;
}

int main(void)
{
    pthread_t thread;
    sem_init(&blocked, 0, 0);
    sem_init(&sent, 0, 0);
    pthread_create(&thread, 0, work, 0);
    sem_wait(&blocked);
    pthread_kill(thread, SIGUSR1);
    assert(0); // it is reached
    return 0;
}
