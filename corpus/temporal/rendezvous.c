// Two threads meet: neither goes on before the other has come.
// ap: both=arrived[0] == 1 && arrived[1] == 1
// ltl: safe none F terminated
// ltl: safe none !"passed[0] == 1" W both
// ltl: safe none G ("passed[1] == 1" -> both)
// ltl: unsafe none G ("passed[0] == 1" -> "passed[1] == 1")
// ltl: unsafe strong G ("arrived[0] == 1" -> both)
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

sem_t here[2];
atomic_int arrived[2], passed[2];

static void meet(int me) {
    atomic_store(&arrived[me], 1);
    sem_post(&here[me]);
    sem_wait(&here[1 - me]);
    atomic_store(&passed[me], 1);
}

void *second(void *arg) {
    meet(1);
    return 0;
}

int main(void) {
    pthread_t thread;
    sem_init(&here[0], 0, 0);
    sem_init(&here[1], 0, 0);
    pthread_create(&thread, 0, second, 0);
    meet(0);
    pthread_join(thread, 0);
}
