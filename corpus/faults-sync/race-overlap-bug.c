// One thread writes an int while another reads a single byte of it.
// expect: race=unsafe assert=safe deadlock=safe memory=safe lock-misuse=safe uninit=safe
// expect: arithmetic=safe overflow=safe leak=safe
// final-states: 2
#include <pthread.h>

static int word;
static unsigned char low_byte;

static void *writer(void *arg) {
    (void)arg;
    word = 0x01010101; //~ race
    return NULL;
}

static void *peek(void *arg) {
    (void)arg;
    const unsigned char *bytes = (const unsigned char *)&word;
    low_byte = bytes[1]; //~ race
    return NULL;
}

int main(void) {
    pthread_t w, p;
    pthread_create(&w, NULL, writer, NULL);
    pthread_create(&p, NULL, peek, NULL);
    pthread_join(w, NULL);
    pthread_join(p, NULL);
    return 0;
}
