// The allocator may hand out a freed address again, so a stale pointer is no sign that an object is the same.
// expect: assert=unsafe memory=safe leak=safe uninit=safe
#include <assert.h>
#include <stdlib.h>

struct session {
    int user;
};

static struct session *cached;
static int cached_user;

/* Looks a user up only if it is another session than the last time. */
static int user_of(struct session *session) {
    if (session != cached) {
        cached = session;
        cached_user = session->user;
    }
    return cached_user;
}

int main(void) {
    for (int user = 1; user <= 2; user++) {
        struct session *session = malloc(sizeof *session);
        session->user = user;
        assert(user_of(session) == user); //~ assert
        free(session);
    }
    return 0;
}
