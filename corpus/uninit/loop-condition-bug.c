// A loop runs as long as a flag is clear that was never cleared.
// expect: uninit=unsafe assert=safe race=safe deadlock=safe memory=safe arithmetic=safe lock-misuse=safe

#include <stdbool.h>

struct parser {
    int position;
    bool done;
};

static void start(struct parser *parser)
{
    parser->position = 0;
}

int main(void)
{
    struct parser parser;
    start(&parser);
    while (!parser.done) { //~ uninit
        parser.position++;
        parser.done = parser.position == 3;
    }
    return 0;
}
