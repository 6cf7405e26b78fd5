// Two transfers between accounts under one lock: the total stays, one outcome.
// expect: default=safe overflow=safe
// final-states: 1

#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int checking = 10, savings = 10;

static void *save(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    checking -= 4;
    savings += 4;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *spend(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    savings -= 3;
    checking += 3;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, save, NULL);
    pthread_create(&b, NULL, spend, NULL);
    pthread_mutex_lock(&lock);
    assert(checking + savings == 20);
    pthread_mutex_unlock(&lock);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(checking == 9 && savings == 11);
    return 0;
}
