// An object that asks for an alignment of 128 bytes has an address that is a multiple of it.
// expect: default=safe

#include <assert.h>
#include <stdint.h>

static _Alignas(128) char global[3];

int main(void)
{
    _Alignas(128) char local[3];
    local[0] = 1;
    assert((uintptr_t)global % 128 == 0);
    assert((uintptr_t)local % 128 == 0);
    assert((uintptr_t)&local[1] % 128 == 1);
    return local[0] - 1;
}
