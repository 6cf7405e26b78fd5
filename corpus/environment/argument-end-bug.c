// The second character of an argument is looked at, though the first may be its end, and the third.
// expect: memory=unsafe

int main(int argc, char **argv)
{
    if (argc < 2)
        return 1;
    return argv[1][1] == 'x' && argv[1][2] == 'y'; //~ memory
}
