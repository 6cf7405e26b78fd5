// Transfers between two accounts under one lock: an auditor always finds all the money.
// expect: default=safe overflow=safe leak=safe
// final-states: 1
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance[2] = {100, 100};

static void *clerk(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock);
    balance[0] -= 30;
    balance[1] += 30;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *auditor(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock);
    int total = balance[0] + balance[1];
    pthread_mutex_unlock(&lock);
    assert(total == 200);
    return NULL;
}

int main(void) {
    pthread_t c, a;
    pthread_create(&c, NULL, clerk, NULL);
    pthread_create(&a, NULL, auditor, NULL);
    pthread_join(c, NULL);
    pthread_join(a, NULL);
    return 0;
}
