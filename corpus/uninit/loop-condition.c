// The flag that ends the loop is cleared first.
// expect: default=safe overflow=safe

#include <assert.h>
#include <stdbool.h>

struct parser {
    int position;
    bool done;
};

static void start(struct parser *parser)
{
    parser->position = 0;
    parser->done = false;
}

int main(void)
{
    struct parser parser;
    start(&parser);
    while (!parser.done) {
        parser.position++;
        parser.done = parser.position == 3;
    }
    assert(parser.position == 3);
    return 0;
}
