// Sleeps that do not move a clock hide no assertion that fails at any time.
// expect: assert=unsafe
// inputs: too many

#include <assert.h>
#include <time.h>
#include <unistd.h>

int main(void)
{
    time_t before = time(NULL);
    int rounds = 0;
    for (int i = 0; i < 5; i++) {
        sleep(1);
        rounds++;
    }
    if (time(NULL) > before)
        assert(rounds == 4); //~ assert
    return 0;
}
