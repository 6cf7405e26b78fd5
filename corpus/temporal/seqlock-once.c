// A reader of a sequence lock whose writer writes once reads again until it has both halves.
// ltl: safe weak F "read == 1"
// ltl: unsafe none F "read == 1"
// ltl: safe none G "read != 2"
// ltl: safe weak F terminated
// ltl: unsafe weak G ("first == 1" -> "second == 1")
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
    write(1);
    return 0;
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
