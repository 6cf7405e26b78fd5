// sem_getvalue counts the posts that nobody has waited for yet.
// expect: default=safe overflow=safe leak=safe
// final-states: 1
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t posts;

static void *poster(void *arg) {
    (void)arg;
    sem_post(&posts);
    return NULL;
}

int main(void) {
    pthread_t t[2];
    int value;
    sem_init(&posts, 0, 1);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, poster, NULL);
    sem_getvalue(&posts, &value);
    assert(value >= 1 && value <= 3);
    sem_wait(&posts);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    sem_getvalue(&posts, &value);
    assert(value == 2);
    return 0;
}
