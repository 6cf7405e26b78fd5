// Where threads stand.
// ltl: safe none G !(main@main:26 && T1@worker:15)
// ltl: unsafe weak G !T1@worker:15
// ltl: safe weak F T1@worker:16
// ltl: safe none G (T1@worker:16 -> "x == 1")
// ltl: unsafe none F T1@worker:16
// ltl: safe weak G (T1@worker:15 -> F T1@worker:16)
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;

void *worker(void *arg) {
    atomic_store(&x, 1);
    atomic_store(&y, 1);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    while (!atomic_load(&x))
        ;
    pthread_join(thread, 0);

    atomic_store(&y, 2);
}
