// A thread waits in a loop for a flag that another one sets.
// ltl: safe weak F terminated
// ltl: safe strong F terminated
// ltl: unsafe none F terminated
// ltl: safe none "flag == 0" U ("flag == 1" || G "flag == 0")
// ltl: safe none G ("flag == 1" -> G "flag == 1")
// ltl: unsafe none F "flag == 1"
// ltl: safe weak F G "flag == 1"
// ltl: safe none terminated R "flag == 0 || flag == 1"
#include <pthread.h>
#include <stdatomic.h>

atomic_int flag;

void *setter(void *arg) {
    atomic_store(&flag, 1);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, setter, 0);
    while (!atomic_load(&flag))
        ;
    pthread_join(thread, 0);
}
