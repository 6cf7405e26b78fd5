// The buffers of a loop's rounds are left by break, continue and goto; what is kept of them is a copy.
// expect: default=safe overflow=safe leak=safe

#include <assert.h>
#include <string.h>

static int fill(char *to, int round)
{
    strcpy(to, "abc");
    to[0] += round;
    return to[0];
}

int main(void)
{
    char kept[8] = "";
    int round = 0;
again:
    for (; round < 5; round++) {
        char line[8];
        fill(line, round);
        if (round == 1) continue;
        if (round == 2) {
            round++;
            goto again;
        }
        if (round == 4) break;
        strcpy(kept, line);
    }
    switch (round) {
        int inner[2];
    case 4:
        memset(inner, 0, sizeof inner);
        assert(inner[1] == 0);
    }
    assert(kept[0] == 'a' + 3);
    return 0;
}
