// pthread_once runs the initialiser once, and both threads see its result.
// expect: default=safe overflow=safe leak=safe
#include <assert.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int runs, table;

static void init(void) {
    runs++;
    table = 7;
}

static void *user(void *arg) {
    (void)arg;
    pthread_once(&once, init);
    assert(table == 7);
    return NULL;
}

int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, user, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(runs == 1);
    return 0;
}
