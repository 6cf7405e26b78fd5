// Constant tables: strings, designated elements, and a matrix with gaps.
// expect: default=safe overflow=safe

#include <assert.h>
#include <string.h>

enum day { MONDAY, TUESDAY, SUNDAY = 6 };

static const char *const names[] = {[SUNDAY] = "Sunday", [MONDAY] = "Monday", "Tuesday"};
static const short matrix[3][3] = {{1}, [2] = {[1] = 8, 9}};
static const char digits[] = "0123456789";

int main(void)
{
    assert(sizeof names / sizeof names[0] == 7);
    assert(strcmp(names[TUESDAY], "Tuesday") == 0);
    assert(names[3] == NULL && names[SUNDAY][0] == 'S');
    assert(matrix[0][0] == 1 && matrix[0][1] == 0);
    assert(matrix[1][2] == 0 && matrix[2][1] == 8 && matrix[2][2] == 9);
    assert(sizeof digits == 11 && digits[7] == '7');
    return 0;
}
