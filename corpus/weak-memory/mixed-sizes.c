// A thread that loads more than it stored last sees its own bytes among those of others.
// expect: assert=safe
// tso: assert=safe
// pso: assert=safe
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>

union {
    uint32_t whole;
    uint16_t half[2];
} cell;

void *thread(void *unused) {
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, thread, 0);
    cell.half[0] = 0x1234;
    cell.half[1] = 0x5678;
    assert(cell.whole == 0x56781234);
    cell.whole = 0x11112222;
    assert(cell.half[1] == 0x1111);
    uint32_t copy;
    memcpy(&copy, &cell, sizeof copy);
    assert(copy == 0x11112222);
    memset(&cell, 0x77, sizeof cell);
    assert(cell.half[0] == 0x7777);
    pthread_join(t, 0);
    return 0;
}
