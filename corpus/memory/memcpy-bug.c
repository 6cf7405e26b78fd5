// A packet claims a payload longer than the buffer it is copied to.
// expect: memory=unsafe assert=safe race=safe deadlock=safe arithmetic=safe lock-misuse=safe uninit=safe

#include <string.h>

struct packet {
    unsigned length;
    unsigned char payload[16];
};

static struct packet incoming = {12, {1, 2, 3}};
static unsigned char buffer[8];

int main(void)
{
    memcpy(buffer, incoming.payload, incoming.length); //~ memory
    return buffer[0];
}
