// More bytes are written to a file than there are.
// expect: memory=unsafe assert=safe

#include <unistd.h>

static char record[12];

int main(void)
{
    write(1, record, 16); //~ memory
    return 0;
}
