// A hand-made once with a plain flag: both threads initialise.
// expect: race=unsafe assert=unsafe deadlock=safe memory=safe lock-misuse=safe uninit=safe
// expect: arithmetic=safe overflow=safe leak=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static bool initialised;
static atomic_int runs;

static void *user(void *arg) {
    (void)arg;
    if (!initialised) {     //~ race
        runs++;
        initialised = true; //~ race
    }
    return NULL;
}

int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, user, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(runs == 1); //~ assert
    return 0;
}
