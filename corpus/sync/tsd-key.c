// Thread-specific data: each thread sees its own value, and NULL before it set one.
// expect: default=safe overflow=safe leak=safe
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;
static int cell[2];

static void *worker(void *arg) {
    assert(pthread_getspecific(key) == NULL);
    pthread_setspecific(key, arg);
    int *mine = pthread_getspecific(key);
    *mine += 1;
    assert(mine == arg);
    return NULL;
}

int main(void) {
    pthread_t t[2];
    pthread_key_create(&key, NULL);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, &cell[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(pthread_getspecific(key) == NULL);
    assert(cell[0] == 1 && cell[1] == 1);
    pthread_key_delete(key);
    return 0;
}
