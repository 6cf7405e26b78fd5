// Setting one bit-field and copying the structure decide nothing about the bits that stay unset.
// expect: assert=safe memory=safe
// assume: nothing

#include <assert.h>
#include <stdlib.h>

struct packet {
    unsigned kind : 3;
    unsigned length : 9;
    int payload;
};

int main(void)
{
    struct packet *packet = malloc(sizeof *packet);
    packet->kind = 5;
    struct packet copy = *packet;
    assert(copy.kind == 5);
    free(packet);
    return 0;
}
