// A pointer that is never initialised may lead anywhere: following it is a memory fault.
// expect: memory=unsafe uninit=unsafe
// assume: nothing

struct node {
    int value;
    struct node *next;
};

int main(void)
{
    struct node first;
    first.value = 1;
    return first.next->value; //~ memory, uninit
}
