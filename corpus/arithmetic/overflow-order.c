// A deposit and a withdrawal on a 64-bit account: either order gives the same balance.
// expect: default=safe overflow=safe
// final-states: 1

#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long long balance = 2147483600;

static void *deposit(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    balance += 100;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *withdraw(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    balance -= 200;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, deposit, NULL);
    pthread_create(&b, NULL, withdraw, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(balance == 2147483500);
    return 0;
}
