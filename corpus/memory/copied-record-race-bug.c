// Records are copied word by word: a race on one names all the fields or letters that the word holds.
// expect: race=unsafe assert=safe deadlock=safe memory=safe lock-misuse=safe uninit=safe
#include <assert.h>
#include <pthread.h>
#include <string.h>

struct product {
    char tag;
    int price;
    char name[16];
};

static struct product shown, stored;

static void *store(void *unused) {
    struct product cheap = {'c', 3, "tea"};
    stored = cheap; //~ race
    return unused;
}

static void *show(void *unused) {
    memcpy(&shown, &stored, sizeof shown); //~ race
    return unused;
}

int main(void) {
    pthread_t writer, reader;
    pthread_create(&writer, 0, store, 0);
    pthread_create(&reader, 0, show, 0);
    pthread_join(writer, 0);
    pthread_join(reader, 0);
    assert(shown.price == 0 || shown.price == 3);
    return 0;
}
