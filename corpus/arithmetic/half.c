// _Float16: eleven bits of precision in two bytes.
// expect: default=safe
// final-states: 1

#include <assert.h>
#include <string.h>

static _Float16 shared = (_Float16)1.5f;

int main(void)
{
    unsigned short bits;
    memcpy(&bits, &shared, sizeof bits);
    assert(sizeof shared == 2 && bits == 0x3e00);

    _Float16 third = (_Float16)(1.0f / 3.0f);
    assert((float)third != 1.0f / 3.0f && (float)third == 0.333251953125f);
    assert((float)(_Float16)2049 == 2048.0f && (int)(_Float16)2050 == 2050);
    assert((float)(_Float16)65520.0f > 1e30f);
    shared = shared * shared + third;
    assert(shared > (_Float16)2.5f && shared < (_Float16)2.6f);
    return 0;
}
