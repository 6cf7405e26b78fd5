// Two threads have different members of the same structures.
// expect: race=safe
// analysis: proves
#include <pthread.h>

struct { int a; int b; } pairs[3];

static void *run(void *arg) {
    for (int i = 0; i < 3; i++) pairs[i].a = i;
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, run, NULL);
    for (int i = 0; i < 3; i++) pairs[i].b = i;
    pthread_join(t, NULL);
    return 0;
}
