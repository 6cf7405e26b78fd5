// So is that of a lock that is defined nowhere.
// expect: race=unknown assert=unknown
#include <assert.h>
#include <pthread.h>

extern pthread_mutex_t missing;
static pthread_mutex_t *lock = &missing;
static int count;

static void *add(void *unused) {
    pthread_mutex_lock(lock);
    count++;
    pthread_mutex_unlock(lock);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, add, 0);
    add(0);
    pthread_join(thread, 0);
    assert(count == 2);
}
