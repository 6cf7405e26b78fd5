// A stack that tests for emptiness before it takes the lock is popped below its bottom.
// expect: memory=unsafe assert=safe race=safe deadlock=safe lock-misuse=safe uninit=safe
// expect: arithmetic=safe overflow=safe leak=safe
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int stack[1] = {10};
static atomic_int size = 1;

static int pop(void) { // -1: empty
    if (size == 0)
        return -1;
    pthread_mutex_lock(&lock);
    int top = --size;
    int value = stack[top]; //~ memory
    pthread_mutex_unlock(&lock);
    return value;
}

static void *popper(void *arg) {
    (void)arg;
    pop();
    return NULL;
}

int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, popper, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
