/* A block that belongs to a file or is free, by two variables under two locks. With -DBAD
   the block is given back without its lock. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t file_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t block_lock = PTHREAD_MUTEX_INITIALIZER;
static int busy, file, block;

static void *allocate(void *arg) {
    pthread_mutex_lock(&file_lock);
    if (file == 0) {
        pthread_mutex_lock(&block_lock);
        busy = 1;
        pthread_mutex_unlock(&block_lock);
        file = 1;
    }
    block = 1;
    assert(block == 1);
    pthread_mutex_unlock(&file_lock);
    return arg;
}

static void *release(void *arg) {
#ifdef BAD
    if (busy == 0)
        block = 0;
#else
    pthread_mutex_lock(&block_lock);
    if (busy == 0) {
        block = 0;
        assert(block == 0);
    }
    pthread_mutex_unlock(&block_lock);
#endif
    return arg;
}

int main(void) {
    pthread_t first, second;
    file = busy;
    pthread_create(&first, 0, allocate, 0);
    pthread_create(&second, 0, release, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
