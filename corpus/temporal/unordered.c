// Two threads set a flag each. Their stores commute, but which comes first is what the
// formulas are about.
// ltl: unsafe none !"b == 1" W "a == 1"
// ltl: unsafe none !"a == 1" W "b == 1"
// ltl: safe none G !("a == 2" || "b == 2")
// ltl: unsafe none G (first -> "b == 1")
// ltl: unsafe none G (second -> !first)
// ltl: safe none !first W "a == 1"
// ltl: unsafe none G (second -> G !first)
// ltl: unsafe none !T2@two:25 W T1@one:19
// ltl: unsafe none !T1@one:19 W T2@two:25
#include <pthread.h>
#include <threadproof.h>
int a, b;

void *one(void *arg) {
    a = 1;
    tp_label("first");
    return 0;
}

void *two(void *arg) {
    b = 1;
    tp_label("second");
    return 0;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], 0, one, 0);
    pthread_create(&threads[1], 0, two, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    return 0;
}
