// A copy of a mutex that is not in use is a new mutex.
// expect: default=safe
#include <pthread.h>

struct account {
    int balance;
    pthread_mutex_t mutex;
};

struct account original = {5, PTHREAD_MUTEX_INITIALIZER}, copy;

static void *pay(void *argument) {
    struct account *account = argument;
    pthread_mutex_lock(&account->mutex);
    account->balance--;
    pthread_mutex_unlock(&account->mutex);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_mutex_lock(&original.mutex);
    pthread_mutex_unlock(&original.mutex);
    copy = original;
    pthread_create(&thread, 0, pay, &copy);
    pay(&copy);
    pthread_join(thread, 0);
    return 0;
}
