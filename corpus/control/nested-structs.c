// Arrays of structures of arrays: every index reaches its own element.
// expect: default=safe overflow=safe
// final-states: 1

#include <assert.h>

struct cell {
    char kind;
    int values[2];
};

struct board {
    struct {
        struct cell cells[3];
        int length;
    } rows[2];
    int moves;
};

static struct board board;

int main(void)
{
    for (int r = 0; r < 2; r++) {
        board.rows[r].length = 3;
        for (int c = 0; c < board.rows[r].length; c++)
            for (int v = 0; v < 2; v++)
                board.rows[r].cells[c].values[v] = 100 * r + 10 * c + v;
    }
    board.rows[1].cells[0].kind = 'k';
    assert(board.rows[0].cells[2].values[1] == 21);
    assert(board.rows[1].cells[0].values[0] == 100);
    assert(board.rows[1].cells[2].values[1] == 121);
    assert(board.rows[0].cells[0].kind == 0 && board.moves == 0);
    struct cell *cell = &board.rows[1].cells[1];
    assert((cell + 1)->values[0] == 120);
    return 0;
}
