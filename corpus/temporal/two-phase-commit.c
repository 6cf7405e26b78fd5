// A coordinator commits (1) if both participants vote for it (1), and aborts (2) otherwise.
// ap: agreed=vote[0] == 1 && vote[1] == 1
// ltl: safe weak F "decision != 0"
// ltl: unsafe none F "decision != 0"
// ltl: safe none G ("decision == 1" -> agreed)
// ltl: safe weak G (agreed -> F "decision == 1")
// ltl: unsafe weak F "decision == 1"
// ltl: unsafe strong F "decision == 2"
#include <pthread.h>
#include <stdatomic.h>
#include <threadproof.h>

atomic_int vote[2], decision;

void *participant(void *arg) {
    atomic_store((atomic_int *)arg, tp_nondet_bool() ? 1 : 2);
    return 0;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, participant, &vote[i]);
    int yes = 1;
    for (int i = 0; i < 2; i++) {
        int its;
        while ((its = atomic_load(&vote[i])) == 0)
            ;
        yes = yes && its == 1;
    }
    atomic_store(&decision, yes ? 1 : 2);
}
