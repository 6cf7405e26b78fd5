/* Stores that others see later, written out in C. A thread keeps its stores in a buffer of
   its own and reads its own stores from there. Before a thread reads, stores of the other
   may arrive: with -DTSO in the order in which they were made, with -DPSO in any order for
   different variables; without either at once. A fence lets all stores of the thread that
   executes it arrive. */
int __VERIFIER_nondet_int(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

#define SLOTS 2

static int memory[VARIABLES];
/* The stores that are under way: the variable (plus one) and the value, the oldest first. */
static int pending[2][SLOTS], pending_value[2][SLOTS];

static void arrive(int thread, int slot) {
    memory[pending[thread][slot] - 1] = pending_value[thread][slot];
    for (int next = slot; next + 1 < SLOTS; next++) {
        pending[thread][next] = pending[thread][next + 1];
        pending_value[thread][next] = pending_value[thread][next + 1];
    }
    pending[thread][SLOTS - 1] = 0;
}

static void drain(int thread) {
    while (pending[thread][0])
        arrive(thread, 0);
}

static void some_arrive(int thread) {
#ifdef PSO
    if (pending[thread][1] && pending[thread][1] != pending[thread][0] && __VERIFIER_nondet_int())
        arrive(thread, 1);
#endif
    while (pending[thread][0] && __VERIFIER_nondet_int())
        arrive(thread, 0);
}

static void store(int thread, int variable, int value) {
    __VERIFIER_atomic_begin();
#if defined(TSO) || defined(PSO)
    if (pending[thread][SLOTS - 1])
        arrive(thread, 0);
    int slot = pending[thread][0] ? 1 : 0;
    pending[thread][slot] = variable + 1;
    pending_value[thread][slot] = value;
#else
    memory[variable] = value;
#endif
    __VERIFIER_atomic_end();
}

static int load(int thread, int variable) {
    __VERIFIER_atomic_begin();
    some_arrive(1 - thread);
    int value = memory[variable];
    for (int slot = 0; slot < SLOTS; slot++)
        if (pending[thread][slot] == variable + 1)
            value = pending_value[thread][slot];
    __VERIFIER_atomic_end();
    return value;
}

static void fence(int thread) {
    __VERIFIER_atomic_begin();
    drain(thread);
    __VERIFIER_atomic_end();
}
