// Readers and a writer: the first reader waits for the room outside the lock, so a second walks past it.
// expect: assert=unsafe race=unsafe deadlock=safe memory=safe lock-misuse=safe uninit=safe
// expect: arithmetic=safe overflow=safe leak=safe
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>

static pthread_mutex_t count_lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t room;
static int readers;
static int low, high; // the writer keeps them equal

static void *reader(void *arg) {
    (void)arg;
    pthread_mutex_lock(&count_lock);
    bool first = ++readers == 1;
    pthread_mutex_unlock(&count_lock);
    if (first)
        sem_wait(&room);

    int l = low;    //~ race
    int h = high;   //~ race
    assert(l == h); //~ assert

    pthread_mutex_lock(&count_lock);
    if (--readers == 0)
        sem_post(&room);
    pthread_mutex_unlock(&count_lock);
    return NULL;
}

static void *writer(void *arg) {
    (void)arg;
    sem_wait(&room);
    low = 1;
    high = 1;
    sem_post(&room);
    return NULL;
}

int main(void) {
    pthread_t r[2], w;
    sem_init(&room, 0, 1);
    pthread_create(&w, NULL, writer, NULL);
    for (int i = 0; i < 2; i++)
        pthread_create(&r[i], NULL, reader, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(r[i], NULL);
    pthread_join(w, NULL);
    return 0;
}
