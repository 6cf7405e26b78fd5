// Before a thread is created and after it was joined its creator has a variable alone.
// expect: race=safe
// analysis: proves
#include <pthread.h>

int x;
pthread_t t, u;

static void *second(void *arg) {
    x++;
    return NULL;
}

static void *first(void *arg) {
    x++;
    pthread_create(&u, NULL, second, NULL);
    pthread_join(u, NULL);
    x++;
    return NULL;
}

int main(void) {
    x = 1;
    pthread_create(&t, NULL, first, NULL);
    pthread_join(t, NULL);
    x++;
    return 0;
}
