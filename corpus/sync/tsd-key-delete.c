// A key is deleted once the thread that uses it is over.
// expect: default=safe
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_key_t key;
static atomic_int deleted;

static void *reader(void *arg) {
    (void)arg;
    pthread_key_t mine = key;
    if (!deleted)
        pthread_getspecific(mine);
    return NULL;
}

int main(void) {
    pthread_key_create(&key, NULL);
    pthread_t t;
    pthread_create(&t, NULL, reader, NULL);
    pthread_join(t, NULL);
    deleted = 1;
    pthread_key_delete(key);
    return 0;
}
