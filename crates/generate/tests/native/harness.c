/*
 * Runs a generated program many times under random schedules.
 *
 *     program RUNS SEED LIMIT
 *
 * Each run is a process of its own that is killed after LIMIT milliseconds. A
 * line for each run tells how it ended:
 *
 *     exit N          main returned N
 *     assert          an assertion failed
 *     assume          an assumption did not hold
 *     hang            it was killed
 *     signal N        it crashed
 *     status N        it ended otherwise
 *     report TEXT     a sanitizer complained (beside one of the others)
 *
 * The program is compiled with calls before its loads and stores. They delay
 * threads by chance, and order what a processor might reorder: what is observed
 * is an interleaving.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Enough of runs that are killed: they take long. */
enum { MAX_HANGS = 4 };

enum { MAX_DOZES = 4 };

extern int generated_main(void);

/* Of this run: what its random numbers start from, and how it delays threads. */
static unsigned long seed;
static unsigned style;
static __thread unsigned long state;

static unsigned long draw(void)
{
    if (!state)
        state = (seed * 0x9e3779b97f4a7c15ul) ^ ((unsigned long)pthread_self() * 0xbf58476d1ce4e5b9ul) | 1;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state >> 11;
}

/* Only a few times in each thread: on a busy machine it is long until it wakes. */
static void doze(unsigned long microseconds)
{
    static __thread int times;
    if (times == MAX_DOZES)
        return;
    times++;
    struct timespec time = { 0, (long)microseconds * 1000 };
    nanosleep(&time, 0);
}

void linger(void)
{
    __asm__ volatile("mfence" ::: "memory");
    unsigned long number = draw();
    switch (style) {
    case 0:
        return;
    case 1:
        if (number % 4 == 0)
            sched_yield();
        return;
    case 2:
        if (number % 8 == 0)
            doze(number / 8 % 40);
        return;
    case 3:
        if (number % 32 == 0)
            doze(number / 32 % 400);
        return;
    default:
        /* Some threads are slow, the others are not. */
        if (((unsigned long)pthread_self() >> 12 ^ seed) % 2 && number % 3 == 0)
            doze(30);
    }
}

/* An access to the own stack cannot be seen, in most cases, and is not worth a delay. */
static void touched(void *address)
{
    char here;
    long distance = (char *)address - &here;
    if (distance > 400 || distance < -400)
        linger();
}

void __sanitizer_cov_load1(void *p) { touched(p); }
void __sanitizer_cov_load2(void *p) { touched(p); }
void __sanitizer_cov_load4(void *p) { touched(p); }
void __sanitizer_cov_load8(void *p) { touched(p); }
void __sanitizer_cov_load16(void *p) { touched(p); }
void __sanitizer_cov_store1(void *p) { touched(p); }
void __sanitizer_cov_store2(void *p) { touched(p); }
void __sanitizer_cov_store4(void *p) { touched(p); }
void __sanitizer_cov_store8(void *p) { touched(p); }
void __sanitizer_cov_store16(void *p) { touched(p); }

struct timespec *soon_from_now(void)
{
    static __thread struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    time.tv_nsec += (long)(draw() % 3000) * 1000;
    if (time.tv_nsec >= 1000000000) {
        time.tv_sec++;
        time.tv_nsec -= 1000000000;
    }
    return &time;
}

/* Where a run tells how it ends. */
static int told;

static void tell(const char *text)
{
    if (write(told, text, strlen(text)) < 0)
        _exit(9);
}

void __assert_fail(const char *assertion, const char *file, unsigned line, const char *function)
{
    (void)assertion, (void)file, (void)line, (void)function;
    tell("\001assert\n");
    _exit(0);
}

void __VERIFIER_assume(int condition)
{
    if (!condition) {
        tell("\001assume\n");
        _exit(0);
    }
}

int __VERIFIER_nondet_int(void)
{
    unsigned long number = draw();
    return number % 4 ? (int)(number / 4 % 4) : (int)(number / 4 % 10) - 1;
}

unsigned __VERIFIER_nondet_uint(void) { return (unsigned)__VERIFIER_nondet_int(); }
unsigned char __VERIFIER_nondet_uchar(void) { return (unsigned char)draw(); }
_Bool __VERIFIER_nondet_bool(void) { return draw() & 1; }

static void run(const int *ends, long limit)
{
    char text[32];
    struct itimerval timer = { { 0, 0 }, { limit / 1000, limit % 1000 * 1000 } };
    int nothing = open("/dev/null", O_RDWR);
    dup2(nothing, 0);
    dup2(nothing, 1);
    dup2(ends[1], 2);
    told = ends[1];
    close(ends[0]);
    prctl(PR_SET_TIMERSLACK, 1);
    setitimer(ITIMER_REAL, &timer, 0);
    snprintf(text, sizeof text, "\001exit %u\n", (unsigned)generated_main());
    tell(text);
    exit(0);
}

/* Prints the rest of a line. */
static void print_line(const char *kind, const char *line)
{
    printf("%s%.*s\n", kind, (int)strcspn(line, "\n"), line);
}

/* Says whether the run was killed. */
static int print_outcome(const char *text, int status)
{
    const char *outcome = strchr(text, 1), *report = strstr(text, "SUMMARY: ");
    const char *error = strstr(text, "runtime error: ");
    if (error || report)
        print_line("report ", error ? error : report);
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM) {
        puts("hang");
        return 1;
    }
    if (WIFSIGNALED(status))
        printf("signal %d\n", WTERMSIG(status));
    else if (outcome)
        print_line("", outcome + 1);
    else if (WEXITSTATUS(status) && !error && !report)
        printf("status %d\n", WEXITSTATUS(status));
    else if (!error && !report)
        puts("exit 0");
    return 0;
}

int main(int argc, char **argv)
{
    static char text[1 << 16];
    long runs = argc > 1 ? atol(argv[1]) : 1, limit = argc > 3 ? atol(argv[3]) : 1000;
    for (long number = 0, hangs = 0; number < runs && hangs < MAX_HANGS; number++) {
        int ends[2], status;
        if (pipe(ends))
            return 1;
        seed = (argc > 2 ? strtoul(argv[2], 0, 10) : 0) * 1000 + number + 1;
        style = number % 5;
        fflush(stdout);
        pid_t child = fork();
        if (child < 0)
            return 1;
        if (!child)
            run(ends, limit);
        close(ends[1]);
        size_t length = 0;
        for (ssize_t got; (got = read(ends[0], text + length, sizeof text - 1 - length)) > 0;)
            length += (size_t)got;
        text[length] = 0;
        close(ends[0]);
        waitpid(child, &status, 0);
        hangs += print_outcome(text, status);
    }
    return 0;
}
