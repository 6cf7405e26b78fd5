// Double-checked locking on a plain pointer: the first check races with the store.
// expect: race=unsafe assert=safe deadlock=safe memory=safe leak=safe lock-misuse=safe uninit=safe
// expect: arithmetic=safe overflow=safe
// final-states: 1
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct config {
    int port;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct config *instance;

static struct config *get_config(void) {
    if (!instance) { //~ race
        pthread_mutex_lock(&lock);
        if (!instance) {
            struct config *c = malloc(sizeof *c);
            c->port = 8080; //~ race
            instance = c;   //~ race
        }
        pthread_mutex_unlock(&lock);
    }
    return instance; //~ race
}

static void *user(void *arg) {
    (void)arg;
    assert(get_config()->port == 8080); //~ race
    return NULL;
}

int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, user, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
