// From a member back to its structure, by the member's offset.
// expect: default=safe overflow=safe

#include <assert.h>
#include <stddef.h>

#define container_of(pointer, type, member) ((type *)((char *)(pointer) - offsetof(type, member)))

struct link {
    struct link *next;
};

struct task {
    int priority;
    char name[5];
    struct link link;
};

static int highest(const struct link *list)
{
    int result = 0;
    for (; list != NULL; list = list->next) {
        const struct task *task = container_of(list, const struct task, link);
        if (task->priority > result)
            result = task->priority;
    }
    return result;
}

int main(void)
{
    struct task idle = {1, "idle", {NULL}};
    struct task user = {7, "user", {&idle.link}};
    struct task disk = {4, "disk", {&user.link}};
    assert(offsetof(struct task, link) == 16);
    assert(highest(&disk.link) == 7);
    assert(highest(&idle.link) == 1);
    return 0;
}
