// One thread takes two locks in the order of their addresses, the other in the order in which they were made.
// expect: deadlock=unsafe
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

pthread_mutex_t *older, *newer;

static void *by_address(void *argument) {
    pthread_mutex_t *first = (uintptr_t)older < (uintptr_t)newer ? older : newer;
    pthread_mutex_t *second = first == older ? newer : older;
    pthread_mutex_lock(first);
    pthread_mutex_lock(second);
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
    return 0;
}

static void *by_age(void *argument) {
    pthread_mutex_lock(older);
    pthread_mutex_lock(newer);
    pthread_mutex_unlock(newer);
    pthread_mutex_unlock(older);
    return 0;
}

int main(void) {
    older = malloc(sizeof *older);
    newer = malloc(sizeof *newer);
    pthread_mutex_init(older, 0);
    pthread_mutex_init(newer, 0);
    pthread_t one, other;
    pthread_create(&one, 0, by_address, 0);
    pthread_create(&other, 0, by_age, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    free(older);
    free(newer);
    return 0;
}
