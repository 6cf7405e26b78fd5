// One byte of a union is written, and that byte is tested.
// expect: default=safe

#include <assert.h>

union cell {
    unsigned char byte;
    unsigned word;
};

static void set_byte(union cell *cell, unsigned char byte)
{
    cell->byte = byte;
}

int main(void)
{
    union cell cell;
    set_byte(&cell, 7);
    assert(cell.byte == 7);
    cell.word = 0x1234;
    assert(cell.byte == 0x34);
    return 0;
}
