// Atomic types of one, two and eight bytes wrap around like their plain counterparts.
// expect: default=safe overflow=safe leak=safe
// final-states: 1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uchar byte = 255;
static atomic_ushort half = 65535;
static atomic_ulong wide = 0xffffffff;

static void *worker(void *arg) {
    (void)arg;
    byte++;
    half++;
    wide++;
    return NULL;
}

int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(byte == 1 && half == 1 && wide == 0x100000001);
    return 0;
}
