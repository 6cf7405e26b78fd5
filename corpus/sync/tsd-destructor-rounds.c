// A destructor that sets its value anew is called four times, once in each round over the keys.
// expect: default=safe
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_key_t first, second;
static int firsts, seconds;

static void again(void *value) {
    assert(seconds == firsts);
    firsts++;
    pthread_setspecific(first, value);
}

static void once(void *value) {
    seconds++;
    if (firsts < 3) pthread_setspecific(second, value);
}

static void *worker(void *unused) {
    pthread_setspecific(first, &firsts);
    pthread_setspecific(second, &seconds);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_key_create(&first, again);
    pthread_key_create(&second, once);
    pthread_create(&thread, NULL, worker, NULL);
    pthread_join(thread, NULL);
    assert(firsts == 4 && seconds == 3);
    return 0;
}
