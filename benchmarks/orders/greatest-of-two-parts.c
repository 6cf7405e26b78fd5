// The greatest of all is the greater one of those of two parts.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int condition);

static int n, m;
static signed char *a;
static signed char greatest, low, high;

static void *all(void *arg) {
    for (int i = 0; i < n; i++)
        if (greatest < a[i])
            greatest = a[i];
    return arg;
}

static void *front(void *arg) {
    for (int i = 0; i < m; i++)
        if (low < a[i])
            low = a[i];
    return arg;
}

static void *back(void *arg) {
    for (int i = m; i < n; i++)
        if (high < a[i])
            high = a[i];
    return arg;
}

int main(void) {
    n = __VERIFIER_nondet_int();
    m = __VERIFIER_nondet_int();
    __VERIFIER_assume(0 <= m && m <= n && n < 1000);
    a = malloc(n);
    for (int i = 0; i < n; i++)
        a[i] = (signed char)__VERIFIER_nondet_int();
    pthread_t t[3];
    pthread_create(&t[0], 0, all, 0);
    pthread_create(&t[1], 0, front, 0);
    pthread_create(&t[2], 0, back, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    pthread_join(t[2], 0);
    assert(greatest == (low < high ? high : low));
    return 0;
}
