// Two threads try to become the leader. One does, for ever, and it may be either.
// ltl: safe none F "leader != 0"
// ltl: safe none G ("leader == 1" -> G "leader == 1")
// ltl: safe none F "leader == 1" || F "leader == 2"
// ltl: unsafe none F "leader == 1"
// ltl: unsafe strong F "leader == 2"
// ltl: safe none F terminated
#include <pthread.h>
#include <stdatomic.h>

atomic_int leader;

void *candidate(void *arg) {
    int nobody = 0;
    atomic_compare_exchange_strong(&leader, &nobody, arg ? 2 : 1);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, candidate, &thread);
    candidate(0);
    pthread_join(thread, 0);
}
