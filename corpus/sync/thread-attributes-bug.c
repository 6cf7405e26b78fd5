// A stack that is too small is refused, and the attributes stay as they were.
// expect: assert=unsafe
#include <assert.h>
#include <pthread.h>

int main(void)
{
    pthread_attr_t attr;
    size_t size;
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, 100);
    pthread_attr_getstacksize(&attr, &size);
    assert(size == 100); //~ assert
    return 0;
}
