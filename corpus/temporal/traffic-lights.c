// Two lights are green in turn. A car that looks at its light only now and then may find it
// red each time, however fair the threads are.
// ltl: safe none G !"north == 1 && east == 1"
// ltl: safe weak G F "north == 1"
// ltl: unsafe none G F "north == 1"
// ltl: safe weak G ("north == 1" -> F "east == 1")
// ltl: unsafe weak G F passes
// ltl: unsafe strong G F passes
// ltl: unsafe none G (passes -> "north == 1")
#include <pthread.h>
#include <stdatomic.h>
#include <threadproof.h>

atomic_int north, east;

void *car(void *arg) {
    for (;;)
        if (atomic_load(&north))
            tp_label("passes");
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, car, 0);
    for (;;) {
        atomic_store(&north, 1);
        atomic_store(&north, 0);
        atomic_store(&east, 1);
        atomic_store(&east, 0);
    }
}
