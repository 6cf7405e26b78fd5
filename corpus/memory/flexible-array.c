// A structure with a flexible array member is allocated with room for its elements.
// expect: default=safe leak=safe

#include <assert.h>
#include <stdlib.h>

struct message {
    size_t count;
    int items[];
};

static struct message *make_message(size_t count)
{
    struct message *message = malloc(sizeof *message + count * sizeof message->items[0]);
    message->count = count;
    for (size_t i = 0; i < count; i++)
        message->items[i] = (int)i;
    return message;
}

int main(void)
{
    struct message *message = make_message(3);
    assert(message->items[2] == 2);
    free(message);
    return 0;
}
