// Options that stand behind other arguments are found, and these are moved behind the options; a
// long option may be shortened as long as one name only begins like that.
// expect: default=safe

#include <assert.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
    char *moved[] = {"prog", "file", "-n", "3", "other", "-v", "--", "-x", 0};
    assert(getopt(8, moved, "vn:") == 'n' && !strcmp(optarg, "3") && optind == 4);
    assert(getopt(8, moved, "vn:") == 'v' && !optarg);
    assert(getopt(8, moved, "vn:") == -1 && optind == 5);
    assert(!strcmp(moved[1], "-n") && !strcmp(moved[2], "3") && !strcmp(moved[3], "-v"));
    assert(!strcmp(moved[4], "--") && !strcmp(moved[5], "file") && !strcmp(moved[6], "other"));

    char *kept[] = {"prog", "file", "-v", 0};
    optind = 0;
    assert(getopt(3, kept, "+v") == -1 && optind == 1 && !strcmp(kept[1], "file"));
    optind = 0;
    assert(getopt(3, kept, "-v") == 1 && !strcmp(optarg, "file"));
    assert(getopt(3, kept, "-v") == 'v' && optind == 3);

    struct option options[] = {{"size", required_argument, 0, 's'},
                               {"silent", no_argument, 0, 'q'},
                               {"all", no_argument, 0, 'a'},
                               {0}};
    char *longer[] = {"prog", "file", "--siz=7", "--al", "--si", 0};
    optind = 0;
    opterr = 0;
    assert(getopt_long(5, longer, "", options, 0) == 's' && !strcmp(optarg, "7"));
    assert(getopt_long(5, longer, "", options, 0) == 'a');
    assert(getopt_long(5, longer, "", options, 0) == '?');
    assert(getopt_long(5, longer, "", options, 0) == -1 && optind == 4 && !strcmp(longer[4], "file"));
    return 0;
}
