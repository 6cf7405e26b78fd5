// Memory from calloc is all zero: numbers, pointers and flags.
// expect: default=safe leak=safe

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>

struct record {
    long id;
    char *name;
    bool active;
    short scores[3];
};

int main(void)
{
    struct record *records = calloc(2, sizeof *records);
    for (int i = 0; i < 2; i++) {
        assert(records[i].id == 0);
        assert(records[i].name == NULL);
        assert(!records[i].active);
        for (int j = 0; j < 3; j++)
            assert(records[i].scores[j] == 0);
    }
    free(records);
    return 0;
}
