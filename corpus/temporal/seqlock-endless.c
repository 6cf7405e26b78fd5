// A reader of a sequence lock whose writer never stops may have to read again for ever. The
// number counts modulo four, so that a reader which is overtaken twice does not notice it, and
// may find halves of different values.
// ltl: unsafe weak F "read != 0"
// ltl: unsafe strong F "read != 0"
// ltl: unsafe none F "read != 0"
// ltl: unsafe weak G "read != 2"
#include <pthread.h>
#include <stdatomic.h>

atomic_int sequence, first, second, read;

static void write(int value) {
    atomic_fetch_xor(&sequence, 1);
    atomic_store(&first, value);
    atomic_store(&second, value);
    atomic_fetch_xor(&sequence, 3);
}

void *writer(void *arg) {
    for (int value = 0;; value = !value)
        write(value);
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    int start, a, b;
    do {
        start = atomic_load(&sequence);
        a = atomic_load(&first);
        b = atomic_load(&second);
    } while (start & 1 || atomic_load(&sequence) != start);
    atomic_store(&read, a == b ? 1 : 2);
    pthread_join(thread, 0);
}
