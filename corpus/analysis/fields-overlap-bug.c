// One thread goes through the members that another one writes.
// expect: race=unsafe
#include <pthread.h>

struct { int a; int b; } pairs[3];

static void *run(void *arg) {
    int *each = (int *)pairs;
    for (int i = 0; i < 6; i++) each[i] = i; //~ race
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, run, NULL);
    for (int i = 0; i < 3; i++) pairs[i].b = i; //~ race
    pthread_join(t, NULL);
    return 0;
}
