// Assigning a structure to itself reads and writes it.
// expect: race=unsafe assert=safe memory=safe
#include <pthread.h>

struct point {
    long x, y, z;
} corner;
struct point *to = &corner, *from = &corner;

static void *assign(void *argument) {
    *to = *from; //~ race
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, assign, 0);
    corner.y = 1; //~ race
    pthread_join(thread, 0);
    return 0;
}
