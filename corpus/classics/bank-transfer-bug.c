// A transfer in two critical sections: every access is locked, yet an auditor misses money.
// expect: assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe uninit=safe
// expect: arithmetic=safe overflow=safe leak=safe
// final-states: 1
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance[2] = {100, 100};

static void add(int account, int amount) {
    pthread_mutex_lock(&lock);
    balance[account] += amount;
    pthread_mutex_unlock(&lock);
}

static void *clerk(void *arg) {
    (void)arg;
    add(0, -30);
    add(1, 30);
    return NULL;
}

static void *auditor(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock);
    int total = balance[0] + balance[1];
    pthread_mutex_unlock(&lock);
    assert(total == 200); //~ assert
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
