// An atomic section that has to wait lets the others go on, and makes all that they do depend on each other.
// expect: assert=safe
// executions: 47
#include <pthread.h>
#include <semaphore.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static sem_t semaphore;

static void use(void) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
}

static void *use_twice(void *unused) {
    __VERIFIER_atomic_begin();
    use();
    __VERIFIER_atomic_end();
    use();
    return unused;
}

static void *take_and_use(void *unused) {
    sem_wait(&semaphore);
    use();
    return unused;
}

static void *take(void *unused) {
    __VERIFIER_atomic_begin();
    sem_wait(&semaphore);
    __VERIFIER_atomic_end();
    return unused;
}

int main(void) {
    pthread_t first, second, third;
    sem_init(&semaphore, 0, 1);
    pthread_create(&first, 0, use_twice, 0);
    pthread_create(&second, 0, take_and_use, 0);
    pthread_create(&third, 0, take, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    pthread_join(third, 0);
    return 0;
}
