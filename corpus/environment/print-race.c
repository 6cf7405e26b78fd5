// A text that is printed and changed under the same lock.
// expect: default=safe

#include <pthread.h>
#include <stdio.h>

static char status[4] = "ok";
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *fail(void *unused)
{
    pthread_mutex_lock(&lock);
    status[0] = 'n';
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, fail, 0);
    pthread_mutex_lock(&lock);
    printf("status: %s\n", status);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, 0);
    return 0;
}
