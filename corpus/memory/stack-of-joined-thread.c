// The stack of a thread is its own until it is joined: locals of two threads are at different places
// expect: default=safe
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static int *owner;
static sem_t left;

static void *leave(void *unused) {
    int token = 1;
    owner = &token;
    sem_post(&left);
    return unused;
}

static void *find(void *unused) {
    int token = 2;
    sem_wait(&left);
    assert(owner != &token);
    return unused;
}

int main(void) {
    pthread_t first, second;
    sem_init(&left, 0, 0);
    pthread_create(&first, 0, leave, 0);
    pthread_create(&second, 0, find, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
