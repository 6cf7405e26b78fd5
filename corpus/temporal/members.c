// Conditions on members, cells, bit-fields, signed and unsigned numbers, and pointers.
// ltl: safe none G "queue.count >= 0"
// ltl: safe weak F "queue.items[1] == 7"
// ltl: safe weak F ("queue.count == 2" && "queue.items[0] == -3")
// ltl: unsafe weak F "queue.count == 3"
// ltl: safe weak F "queue.flags.ready == 5"
// ltl: safe weak F "head"
// ltl: safe weak F "large > 4000000000"
// ltl: safe none G ("head" -> "queue.count == 2")
#include <pthread.h>

struct {
    int count;
    signed char items[2];
    struct {
        unsigned started : 1;
        unsigned ready : 3;
    } flags;
} queue;
void *head;
unsigned large;

void *filler(void *arg) {
    queue.items[0] = -3;
    queue.count = 1;
    queue.items[1] = 7;
    queue.count = 2;
    queue.flags.ready = 5;
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, filler, 0);
    pthread_join(thread, 0);
    head = &queue;
    large = -1;
}
