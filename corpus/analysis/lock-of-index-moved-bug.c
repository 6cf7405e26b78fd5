// The index moves on after the lock was taken.
// expect: race=unsafe
// options: --nondet-range=0..1
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

pthread_mutex_t lock[4];
int data[4];

static void *run(void *arg) {
    int i = __VERIFIER_nondet_int(), taken = i;
    pthread_mutex_lock(&lock[taken]);
    for (int end = i + 2; i < end; i++) data[i]++; //~ race
    pthread_mutex_unlock(&lock[taken]);
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
