//! Programs whose threads are alike.

use generate::Test;

/// The program with all threads running the same function, in one of several ways.
pub fn alike(test: &Test) -> String {
    let mut source = test.to_string();
    for index in 1..test.threads.len() {
        source = source.replace(&format!("0, thread{index},"), "0, thread0,");
    }
    let begin = "static void *thread0(void *arg)\n{\n    int *given = arg;\n    (void)given;\n";
    assert!(source.contains(begin), "threads look otherwise: {source}");
    let join = "    pthread_join(t[0], 0);\n";
    let shared = "#include <stdatomic.h>\natomic_int arrived, between;\n";
    match test.seed % 4 {
        0 => source,
        1 => source.replace(join, "    pthread_exit(0);\n").replace("    pthread_join(t[", "    //"),
        2 => {
            let waits = "    if (atomic_fetch_add(&arrived, 1) == 0 && between) assert(0);\n";
            let source = source.replace(begin, &format!("{begin}{waits}"));
            format!("{shared}{}", source.replace(join, &format!("{join}    between = 1;\n")))
        }
        _ => {
            let first = "    if (atomic_fetch_add(&arrived, 1) == 0) return (void *)1;\n";
            let source = source.replace(begin, &format!("{begin}{first}"));
            let result = "    void *result = 0;\n    pthread_join(t[0], &result);\n    assert(!result);\n";
            format!("{shared}{}", source.replace(join, result))
        }
    }
}
