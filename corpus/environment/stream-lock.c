// A standard stream has a lock that a thread may take, several times, for more than one line.
// expect: race=safe deadlock=safe

#include <pthread.h>
#include <stdio.h>

static int lines;

static void say(const char *text)
{
    flockfile(stdout);
    printf("%d: %s\n", ++lines, text);
    funlockfile(stdout);
}

static void *speak(void *unused)
{
    flockfile(stdout);
    say("first");
    say("second");
    funlockfile(stdout);
    if (ftrylockfile(stdout) == 0) {
        say("third");
        funlockfile(stdout);
    }
    return 0;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, 0, speak, 0);
    speak(0);
    pthread_join(other, 0);
    return 0;
}
