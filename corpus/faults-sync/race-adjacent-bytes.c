// Neighbouring bytes are different memory locations.
// expect: default=safe overflow=safe leak=safe
// final-states: 1
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static char text[3];

static void *put(void *arg) {
    intptr_t i = (intptr_t)arg;
    text[i] = (char)('a' + i);
    return NULL;
}

int main(void) {
    pthread_t t[2];
    for (intptr_t i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, put, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(text[0] == 'a' && text[1] == 'b');
    return 0;
}
