// memset fills bytes: a word filled with 0x5a bytes, and a structure cleared.
// expect: default=safe

#include <assert.h>
#include <stdint.h>
#include <string.h>

struct header {
    uint16_t kind;
    uint32_t length;
    void *next;
};

int main(void)
{
    uint32_t words[3] = {1, 2, 3};
    memset(&words[1], 0x5a, sizeof words[1]);
    assert(words[0] == 1 && words[1] == 0x5a5a5a5a && words[2] == 3);

    struct header header;
    memset(&header, 0, sizeof header);
    assert(header.kind == 0 && header.length == 0 && header.next == 0);

    int32_t filled;
    memset(&filled, 0x1ff, sizeof filled); // only the low byte counts
    assert(filled == -1);
    return 0;
}
