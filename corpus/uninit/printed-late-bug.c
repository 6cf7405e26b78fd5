// A value is kept for a while and then only printed; one byte of it was never initialised.
// expect: uninit=unsafe default=unsafe assert=safe memory=safe
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int turns;

static int read_number(int bytes) {
    int number;
    memcpy(&number, &turns, bytes);
    return number;
}

static void *worker(void *arg) {
    int number = read_number(*(int *)arg);
    pthread_mutex_lock(&lock);
    turns++;
    pthread_mutex_unlock(&lock);
    printf("%d\n", number); //~ uninit
    return 0;
}

int main(void) {
    int whole = 4, part = 3;
    pthread_t thread;
    pthread_create(&thread, 0, worker, &whole);
    pthread_join(thread, 0);
    pthread_create(&thread, 0, worker, &part);
    pthread_join(thread, 0);
    return 0;
}
