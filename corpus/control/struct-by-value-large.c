// Structures above 16 bytes, which travel in memory, are copies all the same.
// expect: default=safe overflow=safe

#include <assert.h>

struct matrix {
    int cells[3][3];
};

static struct matrix transpose(struct matrix matrix)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < i; j++) {
            int cell = matrix.cells[i][j];
            matrix.cells[i][j] = matrix.cells[j][i];
            matrix.cells[j][i] = cell;
        }
    return matrix;
}

int main(void)
{
    struct matrix original = {{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}};
    struct matrix transposed = transpose(original);
    assert(transposed.cells[0][2] == 7 && transposed.cells[2][0] == 3);
    assert(original.cells[0][2] == 3 && original.cells[2][0] == 7);
    original = transpose(transpose(original));
    assert(original.cells[1][0] == 4);
    return 0;
}
