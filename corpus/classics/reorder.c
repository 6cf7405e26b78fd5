// The "reorder" benchmark with a lock: the checker sees both stores or neither.
// expect: default=safe overflow=safe leak=safe
// final-states: 1
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int a, b;

static void *setter(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock);
    a = 1;
    b = -1;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *checker(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock);
    assert((a == 0 && b == 0) || (a == 1 && b == -1));
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t s[2], c;
    for (int i = 0; i < 2; i++)
        pthread_create(&s[i], NULL, setter, NULL);
    pthread_create(&c, NULL, checker, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(s[i], NULL);
    pthread_join(c, NULL);
    return 0;
}
