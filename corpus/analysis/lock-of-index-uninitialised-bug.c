// A number that was never initialised may be chosen anew for each copy.
// expect: race=unsafe
// assume: nothing
// inputs: too many
#include <pthread.h>

pthread_mutex_t lock[2];
int data[2];

static void keep(int *place) {}

static void *run(void *arg) {
    int place;
    keep(&place);
    int index = place;
    pthread_mutex_lock(&lock[index & 1]);
    data[index & 1]++; //~ race
    return NULL;
}

int main(void) {
    pthread_t t, u;
    for (int i = 0; i < 2; i++) pthread_mutex_init(&lock[i], NULL);
    pthread_create(&t, NULL, run, NULL);
    pthread_create(&u, NULL, run, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}
