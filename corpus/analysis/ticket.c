// A counter under a lock hands out each index once.
// expect: race=safe
// analysis: proves
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int next;
int data[4];

static void work(int i) { data[i]++; }

static void *run(void *arg) {
    pthread_mutex_lock(&m);
    while (next < 4) {
        int i = next++;
        pthread_mutex_unlock(&m);
        work(i);
        pthread_mutex_lock(&m);
    }
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    for (int i = 0; i < 2; i++) {
        pthread_t t;
        pthread_create(&t, NULL, run, NULL);
    }
    pthread_exit(NULL);
}
