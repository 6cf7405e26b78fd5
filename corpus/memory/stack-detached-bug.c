// A detached thread gives its stack back when it ends, which may be before the next thread is created
// expect: assert=unsafe memory=safe race=safe
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static int *owner;
static sem_t left;

static void *leave(void *unused) {
    int token = 1;
    pthread_detach(pthread_self());
    owner = &token;
    sem_post(&left);
    return unused;
}

static void *find(void *unused) {
    int token = 2;
    assert(owner != &token); //~ assert
    return unused;
}

int main(void) {
    pthread_t first, second;
    sem_init(&left, 0, 0);
    pthread_create(&first, 0, leave, 0);
    sem_wait(&left);
    pthread_create(&second, 0, find, 0);
    pthread_join(second, 0);
    return 0;
}
