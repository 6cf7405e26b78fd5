// The locks of two streams are two locks.
// expect: race=unsafe

#include <pthread.h>
#include <stdio.h>

static int lines;

static void *speak(void *stream)
{
    flockfile(stream);
    fprintf(stream, "%d\n", ++lines); //~ race
    funlockfile(stream);
    return 0;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, 0, speak, stdout);
    speak(stderr);
    pthread_join(other, 0);
    return 0;
}
