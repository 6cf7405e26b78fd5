// Each round of a loop has a buffer of its own: the pointer kept from the first round dangles in the second.
// expect: memory=unsafe assert=safe race=safe deadlock=safe arithmetic=safe lock-misuse=safe

#include <string.h>

int main(void)
{
    char *kept = 0;
    for (int round = 0; round < 2; round++) {
        char line[8];
        strcpy(line, "abc");
        if (round == 0) kept = line;
        else kept[0] = 'x'; //~ memory
    }
    return 0;
}
