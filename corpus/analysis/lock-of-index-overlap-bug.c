// Elements that overlap have different locks.
// expect: race=unsafe
// options: --nondet-range=0..1
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

pthread_mutex_t lock[4];
char data[8];

static void *run(void *arg) {
    int i = __VERIFIER_nondet_int();
    pthread_mutex_lock(&lock[i]);
    *(short *)(data + i) = 1; //~ race
    pthread_mutex_unlock(&lock[i]);
    return NULL;
}

int main(void) {
    pthread_t t, u;
    for (int i = 0; i < 4; i++) pthread_mutex_init(&lock[i], NULL);
    pthread_create(&t, NULL, run, NULL);
    pthread_create(&u, NULL, run, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}
