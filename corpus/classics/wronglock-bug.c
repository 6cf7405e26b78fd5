// The "wronglock" benchmark: two threads protect one number with two different locks.
// expect: assert=unsafe race=unsafe deadlock=safe memory=safe lock-misuse=safe uninit=safe
// expect: arithmetic=safe overflow=safe leak=safe
// final-states: 1
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t data_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t this_lock = PTHREAD_MUTEX_INITIALIZER;
static int number = 5;

static void *checker(void *arg) {
    (void)arg;
    pthread_mutex_lock(&data_lock);
    int before = number; //~ race
    int after = number;  //~ race
    pthread_mutex_unlock(&data_lock);
    assert(before == after); //~ assert
    return NULL;
}

static void *changer(void *arg) {
    (void)arg;
    pthread_mutex_lock(&this_lock);
    number++; //~ race
    pthread_mutex_unlock(&this_lock);
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
