// Threads that are alike draw numbers; one of them overtakes another between drawing and being served.
// expect: default=unsafe assert=unsafe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int drawn;
int served;
pthread_mutex_t counter = PTHREAD_MUTEX_INITIALIZER;

static void *customer(void *arg)
{
    (void)arg;
    int number = atomic_fetch_add(&drawn, 1);
    pthread_mutex_lock(&counter);
    assert(served == number); //~ assert
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
