// strncpy fills the field to its last byte, and strlen then finds no terminating zero.
// expect: memory=unsafe assert=safe race=safe deadlock=safe arithmetic=safe lock-misuse=safe uninit=safe

#include <string.h>

static char field[4];

int main(void)
{
    const char *source = "long name";
    strncpy(field, source, sizeof field);
    return (int)strlen(field); //~ memory
}
