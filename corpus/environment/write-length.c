// As many bytes are written to files as there are.
// expect: default=safe

#include <stdio.h>
#include <unistd.h>

static char record[12];

int main(void)
{
    write(1, record, sizeof record);
    fwrite(record, 4, 3, stdout);
    return 0;
}
