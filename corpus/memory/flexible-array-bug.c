// A structure with a flexible array member is allocated without room for its elements.
// expect: memory=unsafe assert=safe race=safe deadlock=safe arithmetic=safe lock-misuse=safe uninit=safe

#include <stdlib.h>

struct message {
    size_t count;
    int items[];
};

int main(void)
{
    struct message *message = malloc(sizeof *message);
    message->count = 1;
    message->items[0] = 7; //~ memory
    free(message);
    return 0;
}
