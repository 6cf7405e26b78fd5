/* Calls of the operating system that need more than a line of the table in
 * lower/environment.rs. */
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "rt.h"

/* Some result between -1, which is a failure, and the most there can be. */
static int result_up_to(int most) {
    int result = __tp_nondet_int();
    tp_assume(result >= -1 && result <= most);
    __tp_maybe_failed(result);
    return result;
}

int poll(struct pollfd *list, nfds_t count, int timeout) {
    for (nfds_t i = 0; i < count; i++) {
        (void)list[i].fd;
        (void)list[i].events;
        list[i].revents = (short)__tp_nondet_int();
    }
    return result_up_to((int)count);
}

int ppoll(struct pollfd *list, nfds_t count, const struct timespec *timeout, const sigset_t *mask) {
    return poll(list, count, 0);
}

/* Linux leaves the time that is left, others what was there: all or nothing of it. */
static void pass(struct timeval *timeout) {
    if (!timeout) return;
    struct timeval before = *timeout;
    *timeout = __tp_nondet_bool() ? before : (struct timeval){0, 0};
}

static void change(fd_set *set) {
    if (!set) return;
    __tp_read_bytes(set, sizeof *set);
    __tp_fill(set, sizeof *set);
}

int select(int count, fd_set *read, fd_set *write, fd_set *except, struct timeval *timeout) {
    change(read);
    change(write);
    change(except);
    pass(timeout);
    return result_up_to(3 * count);
}

static int any_file(struct stat *to) {
    if (__tp_nondet_bool()) {
        __tp_maybe_failed(-1);
        return -1;
    }
    __tp_fill(to, sizeof *to);
    tp_assume(to->st_size >= 0);
    return 0;
}

int stat(const char *path, struct stat *to) {
    __tp_read_text(path, -1);
    return any_file(to);
}

int lstat(const char *path, struct stat *to) { return stat(path, to); }
int fstat(int descriptor, struct stat *to) { return any_file(to); }

/* An address of a peer: so many bytes, the number of which is told. */
static void any_address(void *address, socklen_t *length) {
    if (!address) return;
    __tp_fill(address, *length);
    *length = __tp_nondet_uint();
}

int accept(int socket, struct sockaddr *address, socklen_t *length) {
    any_address(address, length);
    return result_up_to(0x7fffffff);
}

ssize_t recvfrom(int socket, void *to, size_t size, int flags, struct sockaddr *address, socklen_t *length) {
    __tp_fill(to, size);
    any_address(address, length);
    return result_up_to((int)size);
}

int getsockname(int socket, struct sockaddr *address, socklen_t *length) {
    any_address(address, length);
    return result_up_to(0);
}

int getpeername(int socket, struct sockaddr *address, socklen_t *length) {
    any_address(address, length);
    return result_up_to(0);
}

/* Priorities as Linux has them; -1 for a policy that it does not have. */
static int is_real_time(int policy) { return policy == SCHED_FIFO || policy == SCHED_RR; }

static int has_no_priorities(int policy) {
    return policy == SCHED_OTHER || policy == SCHED_BATCH || policy == SCHED_IDLE || policy == SCHED_DEADLINE;
}

static int priority(int policy, int of_real_time) {
    if (is_real_time(policy)) return of_real_time;
    return has_no_priorities(policy) ? 0 : -1;
}

int __tp_lowest_priority(int policy) { return priority(policy, 1); }
int __tp_highest_priority(int policy) { return priority(policy, 99); }

static int report_priority(int priority) {
    if (priority < 0) *__errno_location() = EINVAL;
    return priority;
}

int sched_get_priority_min(int policy) { return report_priority(__tp_lowest_priority(policy)); }
int sched_get_priority_max(int policy) { return report_priority(__tp_highest_priority(policy)); }
