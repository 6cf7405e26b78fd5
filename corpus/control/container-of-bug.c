// A link that is not inside a task is taken back to the task around it.
// expect: memory=unsafe assert=safe race=safe deadlock=safe arithmetic=safe lock-misuse=safe uninit=safe

#include <stddef.h>

#define container_of(pointer, type, member) ((type *)((char *)(pointer) - offsetof(type, member)))

struct link {
    struct link *next;
};

struct task {
    int priority;
    struct link link;
};

static struct link head;

int main(void)
{
    struct task task = {3, {&head}};
    head.next = &task.link;
    int sum = 0;
    for (struct link *link = head.next; link != NULL; link = link->next)
        sum += container_of(link, struct task, link)->priority; //~ memory
    return sum;
}
