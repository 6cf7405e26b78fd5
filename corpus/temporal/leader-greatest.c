// Each of two threads tells its number, waits for the other one's and takes the greater as leader.
// ltl: safe weak F "leader == 2"
// ltl: unsafe none F "leader == 2"
// ltl: safe none G ("leader != 0" -> G "leader == 2")
// ltl: safe none !"leader == 2" W "told[0] == 1"
// ltl: safe weak F terminated
// ltl: unsafe weak G ("told[0] == 1" -> "told[1] == 2")
#include <pthread.h>
#include <stdatomic.h>

atomic_int told[2], leader;

static void elect(int me) {
    atomic_store(&told[me], me + 1);
    int other;
    while ((other = atomic_load(&told[1 - me])) == 0)
        ;
    atomic_store(&leader, other > me + 1 ? other : me + 1);
}

void *second(void *arg) {
    elect(1);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, second, 0);
    elect(0);
    pthread_join(thread, 0);
}
