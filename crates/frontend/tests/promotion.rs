//! Which locals become registers, and what code is left.

mod common;

use common::{c, code, count, function, is_memory};
use ir::{BinOp, Instr, Operand};

#[test]
fn scalars_whose_address_stays_are_registers() {
    let program = c("int f(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }
                     int main(void) { return f(3); }");
    assert_eq!(count(&program, "f", is_memory), 0);
    let names: Vec<&str> =
        function(&program, "f").slots.iter().filter_map(|s| s.name).map(|n| program.name(n)).collect();
    assert_eq!(names, ["n", "s", "i"]);
}

#[test]
fn increments_are_one_instruction() {
    let program = c("int f(int n) { n++; n = n * 3; return n; } int main(void) { return f(3); }");
    let code = code(&program, "f");
    assert!(matches!(
        code,
        [
            Instr::Binary { op: BinOp::Add, dst: a, lhs: Operand::Reg(b), no_signed_wrap: true, .. },
            Instr::Binary { op: BinOp::Mul, dst: c, lhs: Operand::Reg(d), .. },
            Instr::Return { .. }
        ] if a == b && c == d && a == c
    ));
}

#[test]
fn parameters_arrive_in_their_variables() {
    let program = c("int f(int n) { return n; } int main(void) { return f(3); }");
    let f = function(&program, "f");
    assert_eq!(f.code.len(), 1);
    assert_eq!(f.slots[f.params[0].reg.0 as usize].name.map(|n| program.name(n)), Some("n"));
}

#[test]
fn a_copy_taken_before_a_write_keeps_its_value() {
    // `n++ + n`: the old value must survive the write.
    let program = c("int f(int n) { int old = n++; return old * n; } int main(void) { return f(3); }");
    let Some(Instr::Binary { op: BinOp::Mul, lhs, rhs, .. }) =
        code(&program, "f").iter().find(|i| matches!(i, Instr::Binary { op: BinOp::Mul, .. }))
    else {
        panic!("no multiplication")
    };
    assert_ne!(lhs, rhs);
}

#[test]
fn uninitialised_locals_stay_undefined() {
    let program = c("int f(int c) { int x; if (c) x = 1; return x; } int main(void) { return f(0); }");
    // No path writes anything but 1 (and "undefined" where the scope begins) to x.
    let moves = code(&program, "f").iter().filter_map(|i| match i {
        Instr::Move { src, .. } => Some(*src),
        _ => None,
    });
    let sources: Vec<Operand> = moves.collect();
    assert!(sources.contains(&Operand::Int(1)));
    assert!(!sources.contains(&Operand::Int(0)));
}

#[test]
fn a_variable_of_a_loop_body_is_undefined_each_time() {
    let program =
        c("int f(int n) { int s = 0; for (int i = 0; i < n; i++) { int x; if (i == 0) x = 1; s += x; }
                     return s; } int main(void) { return f(2); }");
    let undefined = |i: &Instr| matches!(i, Instr::Move { src: Operand::Undef, .. });
    assert_eq!(count(&program, "f", undefined), 1);
}

#[test]
fn volatile_and_escaping_locals_stay_in_memory() {
    let program = c("void g(int *p); int f(void) { volatile int v = 1; int e = 2; g(&e); return v + e; }
                     void g(int *p) { *p = 3; } int main(void) { return f(); }");
    assert_eq!(count(&program, "f", |i| matches!(i, Instr::Alloca { .. })), 2);
    let volatile = |i: &Instr| matches!(i, Instr::Load { access, .. } if access.volatile);
    assert_eq!(count(&program, "f", volatile), 1);
    let names: Vec<_> = code(&program, "f")
        .iter()
        .filter_map(|i| match i {
            Instr::Alloca { var: Some(var), .. } => Some(program.name(var.name)),
            _ => None,
        })
        .collect();
    assert_eq!(names, ["v", "e"]);
}

#[test]
fn shared_memory_is_never_cached() {
    // Both reads and both writes of the global stay, in order.
    let program = c("int g; int main(void) { g = 1; g = 1; int a = g; int b = g; return a + b; }");
    let kinds: Vec<&str> = code(&program, "main")
        .iter()
        .filter_map(|i| match i {
            Instr::Load { .. } => Some("load"),
            Instr::Store { .. } => Some("store"),
            _ => None,
        })
        .collect();
    assert_eq!(kinds, ["store", "store", "load", "load"]);
}

#[test]
fn unused_loads_of_shared_memory_stay() {
    let program = c("int g; int main(void) { (void)*(&g); int x = g; return 0; }");
    assert!(count(&program, "main", |i| matches!(i, Instr::Load { .. })) >= 1);
}

#[test]
fn scopes_of_locals_in_memory_are_marked() {
    let program = c("int *p; int main(void) { { int x = 1; p = &x; } return 0; }");
    assert_eq!(count(&program, "main", |i| matches!(i, Instr::Alloca { .. })), 1);
    assert_eq!(count(&program, "main", |i| matches!(i, Instr::EndObject { .. })), 1);
}

#[test]
fn temporaries_share_slots() {
    let many = (0..50).map(|i| format!("g[{i}] = g[{}] * 3;", i + 1)).collect::<String>();
    let program = c(&format!("int g[60]; int main(void) {{ {many} return 0; }}"));
    assert!(function(&program, "main").slots.len() < 6);
}
