// Propositions are looked at where there is one thread, too: each store is a step.
// ltl: safe none G ("a == 1" -> F "b == 1")
// ltl: unsafe none G "a == b"
// ltl: safe none F ("a == 1" && "b == 0")
// ltl: safe none F (terminated && "a == 0")
// ltl: safe none F terminated
// ltl: safe none "a == 0" U ("a == 1" U "a == 0")
// ltl: unsafe none G (terminated -> "b == 0")
// ltl: unsafe none F (terminated && !terminated)
int a, b;

int main(void) {
    a = 1;
    b = 1;
    a = 0;
}
