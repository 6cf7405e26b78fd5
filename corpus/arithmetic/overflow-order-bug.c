// A deposit and a withdrawal on a nearly full account: only in one of the two orders the sum overflows.
// expect: default=safe overflow=unsafe

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance = 2147483600;

static void *deposit(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    balance += 100; //~ overflow
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *withdraw(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    balance -= 200; //~ overflow
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
    return 0;
}
