// What is stored is an input with many values.
// ltl: unsafe none G "stored != 7"
// ltl: unsafe none G ("stored == 7" -> "seen == 0")
// ltl: safe none G (terminated -> "seen == 1")
#include <pthread.h>
#include <threadproof.h>
unsigned char stored;
int seen;

void *store(void *arg) {
    stored = tp_nondet_uchar();
    seen = 1;
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, store, 0);
    pthread_join(thread, 0);
    return 0;
}
