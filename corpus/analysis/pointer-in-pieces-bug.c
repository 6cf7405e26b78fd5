// A pointer goes from one thread to the other as two numbers.
// expect: race=unsafe
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

uint32_t low, high;

static void *run(void *arg) {
    int *item = (int *)((uintptr_t)high << 32 | low);
    *item = 1; //~ race
    return NULL;
}

int main(void) {
    pthread_t t;
    int *item = malloc(sizeof *item);
    low = (uintptr_t)item;
    high = (uintptr_t)item >> 32;
    pthread_create(&t, NULL, run, NULL);
    *item = 2; //~ race
    pthread_join(t, NULL);
    return 0;
}
