// A union of a word, its halves and its bytes on a little-endian machine.
// expect: default=safe overflow=safe
// final-states: 1

#include <assert.h>
#include <stdint.h>

static union {
    uint32_t word;
    struct {
        uint16_t low;
        uint16_t high;
    };
    uint8_t bytes[4];
} view;

int main(void)
{
    view.word = 0x11223344;
    assert(view.low == 0x3344 && view.high == 0x1122);
    assert(view.bytes[0] == 0x44 && view.bytes[3] == 0x11);
    view.bytes[1] = 0xff;
    assert(view.word == 0x1122ff44);
    view.high = 0;
    assert(view.word == 0xff44);
    assert(sizeof view == 4);
    return 0;
}
