// A section that cannot be divided raises a flag and writes the data after it.
// Who reads the flag comes after the whole section, but is ordered only after
// what came before the flag was raised.
// expect: race=unsafe memory=safe assert=safe deadlock=safe
#include <pthread.h>
#include <stdatomic.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static atomic_int flag;
static int data;

static void *writer(void *arg) {
    (void)arg;
    __VERIFIER_atomic_begin();
    atomic_store(&flag, 1);
    data = 1;
    __VERIFIER_atomic_end();
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, writer, NULL);
    if (atomic_load(&flag))
        data = 2; //~ race
    pthread_join(t, NULL);
    return 0;
}
