// The second thread is created when the first has been joined.
// ltl: safe none G ("second == 1" -> "first == 1")
// ltl: safe none !"second == 1" U "first == 1"
// ltl: safe none F terminated
// ltl: unsafe none G ("first == 1" -> "second == 1")
// ltl: unsafe strong G F "second == 0"
#include <pthread.h>
#include <stdatomic.h>

atomic_int first, second;

void *set(void *arg) {
    atomic_store((atomic_int *)arg, 1);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, set, &first);
    pthread_join(thread, 0);
    pthread_create(&thread, 0, set, &second);
    pthread_join(thread, 0);
}
