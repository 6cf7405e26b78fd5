// The text of a date has 25 characters, and that of strftime as many as it says.
// expect: default=safe
// inputs: too many

#include <assert.h>
#include <string.h>
#include <time.h>

int main(void)
{
    time_t now = time(NULL);
    char *text = ctime(&now);
    assert(strlen(text) == 25);
    text[strlen(text) - 1] = '\0';

    char hour[8];
    struct tm date;
    size_t length = strftime(hour, sizeof hour, "%H:%M", gmtime_r(&now, &date));
    assert(length == 0 || strlen(hour) == length);
    return 0;
}
