// Functions without a body, named by a pattern, may return anything: the sum need not be what it was hoped to be.
// expect: assert=unsafe race=safe
// options: --havoc=sensor::* --nondet-range=0..3
#include <cassert>
#include <pthread.h>

namespace sensor {
int read(int channel);
void log(int value);
}

static int values[2];

static void *sample(void *index) {
    int i = (int)(long)index;
    values[i] = sensor::read(i);
    sensor::log(values[i]);
    return nullptr;
}

int main() {
    pthread_t t[2];
    for (long i = 0; i < 2; i++) pthread_create(&t[i], nullptr, sample, (void *)i);
    for (int i = 0; i < 2; i++) pthread_join(t[i], nullptr);
    assert(values[0] + values[1] < 6); //~ assert
}
