// A writer may wait for ever while two readers overlap.
// ltl: unsafe weak F "written == 1"
// ltl: unsafe strong F "written == 1"
// ltl: safe none G ("written == 1" -> "reading == 0" || G "written == 1")
#include <pthread.h>
#include <stdatomic.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int written;
atomic_int reading;

void *reader(void *arg) {
    for (;;) {
        pthread_rwlock_rdlock(&lock);
        atomic_fetch_add(&reading, 1);
        atomic_fetch_sub(&reading, 1);
        pthread_rwlock_unlock(&lock);
    }
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, reader, 0);
    pthread_create(&b, 0, reader, 0);
    pthread_rwlock_wrlock(&lock);
    written = 1;
    pthread_rwlock_unlock(&lock);
    pthread_join(a, 0);
}
