// A packed structure has no padding, and its unaligned members are read and written whole.
// expect: default=safe overflow=safe
// final-states: 1

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

struct __attribute__((packed)) frame {
    uint8_t kind;
    uint32_t length;
    uint16_t checksum;
    uint64_t time;
};

static struct frame frame;

int main(void)
{
    assert(sizeof frame == 15);
    assert(offsetof(struct frame, length) == 1);
    assert(offsetof(struct frame, time) == 7);
    frame.kind = 0xee;
    frame.length = 0x01020304;
    frame.checksum = 0xffff;
    frame.time = 0x1122334455667788;
    const uint8_t *bytes = (const uint8_t *)&frame;
    assert(bytes[0] == 0xee && bytes[1] == 4 && bytes[4] == 1);
    assert(bytes[5] == 0xff && bytes[7] == 0x88 && bytes[14] == 0x11);
    assert(frame.length == 0x01020304 && frame.time == 0x1122334455667788);
    return 0;
}
