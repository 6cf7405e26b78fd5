// One byte of a union is written, and the whole word is tested.
// expect: uninit=unsafe assert=safe race=safe deadlock=safe memory=safe arithmetic=safe lock-misuse=safe

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
    if (cell.word == 7) //~ uninit
        return 1;
    return 0;
}
