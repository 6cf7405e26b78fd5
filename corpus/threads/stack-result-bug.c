// A thread returns the address of its own local variable.
// expect: memory=unsafe assert=safe race=safe deadlock=safe arithmetic=safe lock-misuse=safe uninit=safe

#include <pthread.h>

static void *compute(void *arg)
{
    int result = *(int *)arg * 2;
    int *answer = &result;
    return answer;
}

int main(void)
{
    pthread_t thread;
    int input = 21;
    void *answer;
    pthread_create(&thread, NULL, compute, &input);
    pthread_join(thread, &answer);
    return *(int *)answer; //~ memory
}
