// Three threads pass a token round.
// ltl: safe weak G F "token == 0" && G F "token == 1" && G F "token == 2"
// ltl: unsafe none G F "token == 2"
// ltl: safe none G ("token == 0" -> ("token == 0" W "token == 1"))
// ltl: unsafe weak G ("token == 0" -> ("token == 0" W "token == 2"))
// ltl: safe weak G ("token == 1" -> (!"token == 0" U "token == 2"))
#include <pthread.h>
#include <stdatomic.h>

atomic_int token;

void pass(int from, int to) {
    for (;;) {
        while (atomic_load(&token) != from)
            ;
        atomic_store(&token, to);
    }
}

void *one(void *arg) {
    pass(1, 2);
    return 0;
}

void *two(void *arg) {
    pass(2, 0);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pass(0, 1);
}
