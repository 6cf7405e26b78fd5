// A thread gives back a recursive mutex twice in each round of its loop, and another thread a spin lock; both are
// needed by main, which frees what they look at.
// expect: memory=unsafe
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t twice;
static pthread_spinlock_t spin;
static int *cell, ready;

static void *recursive(void *unused) {
    pthread_mutex_lock(&twice);
    pthread_mutex_lock(&twice);
    ready |= 1;
    while (!(ready & 4)) {
        pthread_mutex_unlock(&twice);
        pthread_mutex_unlock(&twice);
        pthread_mutex_lock(&twice);
        pthread_mutex_lock(&twice);
    }
    *cell = 1; //~ memory
    pthread_mutex_unlock(&twice);
    pthread_mutex_unlock(&twice);
    return unused;
}

static void *spinning(void *unused) {
    pthread_spin_lock(&spin);
    ready |= 2;
    while (!(ready & 4)) {
        pthread_spin_unlock(&spin);
        pthread_spin_lock(&spin);
    }
    pthread_spin_unlock(&spin);
    return unused;
}

int main(void) {
    pthread_t one, other;
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&twice, &attr);
    pthread_spin_init(&spin, 0);
    cell = malloc(sizeof *cell);
    pthread_create(&one, NULL, recursive, NULL);
    pthread_create(&other, NULL, spinning, NULL);
    pthread_mutex_lock(&twice);
    pthread_spin_lock(&spin);
    if (ready == 3) {
        free(cell);
        ready |= 4;
    }
    pthread_spin_unlock(&spin);
    pthread_mutex_unlock(&twice);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    return 0;
}
