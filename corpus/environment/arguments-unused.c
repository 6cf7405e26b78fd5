// Arguments that nobody looks at are no inputs.
// expect: default=safe
// final-states: 1

static int done;

int main(int argc, char **argv)
{
    done = 1;
    return 0;
}
