// A call ends with a step of its own where a position depends on it: the variable is set
// while its caller still stands at the call.
// ltl: unsafe none G ("x == 1" -> T1@worker:17)
// ltl: safe none G (T1@worker:17 -> "x == 1")
// ltl: unsafe none G (T1@worker:16 -> "x == 0")
// ltl: unsafe none F ("x == 1" && T1@worker:16 && "done == 1")
#include <pthread.h>
int x, done;

static void set(void) {
    x = 1;
}

void *worker(void *arg) {
    x = 0;
    set();
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    done = 1;
    pthread_join(thread, 0);
    return 0;
}
