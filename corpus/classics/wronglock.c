// The "wronglock" benchmark with the right lock: nobody changes the number during the check.
// expect: default=safe overflow=safe leak=safe
// final-states: 1
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t data_lock = PTHREAD_MUTEX_INITIALIZER;
static int number = 5;

static void *checker(void *arg) {
    (void)arg;
    pthread_mutex_lock(&data_lock);
    int before = number;
    int after = number;
    pthread_mutex_unlock(&data_lock);
    assert(before == after);
    return NULL;
}

static void *changer(void *arg) {
    (void)arg;
    pthread_mutex_lock(&data_lock);
    number++;
    pthread_mutex_unlock(&data_lock);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, checker, NULL);
    pthread_create(&b, NULL, changer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
