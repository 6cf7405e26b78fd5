// Threads that are alike draw numbers and are served before another one draws.
// expect: default=safe assert=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int drawn;
int served;
pthread_mutex_t counter = PTHREAD_MUTEX_INITIALIZER;

static void *customer(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&counter);
    int number = atomic_fetch_add(&drawn, 1);
    assert(served == number);
    served++;
    pthread_mutex_unlock(&counter);
    return 0;
}

int main(void)
{
    pthread_t customers[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&customers[i], 0, customer, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(customers[i], 0);
}
