// A thread waits in a loop for a flag that no other one sets.
// ltl: unsafe weak F terminated
// ltl: unsafe strong F terminated
// ltl: safe none G "flag == 0"
// ltl: safe weak F "count == 1"
// ltl: safe weak F G "count == 1"
#include <pthread.h>
#include <stdatomic.h>

atomic_int flag, count;

void *counter(void *arg) {
    atomic_fetch_add(&count, 1);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, counter, 0);
    while (!atomic_load(&flag))
        ;
    pthread_join(thread, 0);
}
