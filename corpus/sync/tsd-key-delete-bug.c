// A key is deleted between a thread's look at the flag and its use of the key.
// expect: lock-misuse=unsafe assert=safe race=safe deadlock=safe memory=safe arithmetic=safe uninit=safe
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_key_t key;
static atomic_int deleted;

static void *reader(void *arg) {
    (void)arg;
    pthread_key_t mine = key;
    if (!deleted)
        pthread_getspecific(mine); //~ lock-misuse
    return NULL;
}

int main(void) {
    pthread_key_create(&key, NULL);
    pthread_t t;
    pthread_create(&t, NULL, reader, NULL);
    deleted = 1;
    pthread_key_delete(key);
    pthread_join(t, NULL);
    return 0;
}
