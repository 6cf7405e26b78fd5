//! Deep stacks: what is kept from state to state is the same as what is found out from all
//! calls, along random executions of recursions that now and then go on from an earlier
//! state, and states that are put into the store come out as they were.

use std::sync::Arc;

use generate::Random;
use machine::{Config, Grain, Machine, State};
use store::{Sight, Store};

/// Two recursions. Calls have objects of their own, of which others are told, and pointers to those
/// of the calls before; pointers are moved, and objects are made and freed on the way back.
const PROGRAM: &str = "
#include <pthread.h>
#include <stdlib.h>
struct node {
    struct node *next;
    int depth;
};
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
struct node *last;
int calls;
int deep(struct node *before, int n) {
    struct node own = {before, n};
    struct node *made = n % 5 == 0 ? malloc(sizeof *made) : &own;
    made->next = n % 7 == 0 ? 0 : before;
    made->depth = n;
    pthread_mutex_lock(&lock);
    calls++;
    if (n % 11 == 0)
        last = made;
    pthread_mutex_unlock(&lock);
    int below = n == 0 ? 0 : deep(n % 3 ? made : &own, n - 1);
    pthread_mutex_lock(&lock);
    if (last == made)
        last = 0;
    pthread_mutex_unlock(&lock);
    if (made != &own)
        free(made);
    return below + 1;
}
void *works(void *arg) {
    deep(0, 75);
    return 0;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, works, 0);
    deep(0, 90);
    pthread_join(thread, 0);
    return 0;
}";

/// Steps of all executions together.
const STEPS: usize = 5_000;

#[test]
fn deep_stacks_are_kept_normal() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("deep.c");
    std::fs::write(&path, PROGRAM).unwrap();
    let program = frontend::load(&[path], &frontend::Options::default()).unwrap();
    let machine = Machine::new(Arc::new(program), Config::default());
    let (mut random, store, mut sight) = (Random::new(3), Store::new(&machine), Sight::new());
    let form = |state: &State| {
        let mut form = Vec::new();
        machine.canonical(state, &mut form);
        form
    };
    let mut state = machine.initial();
    machine.normalise(&mut state);
    let (mut stored, mut ends) = (vec![(store.tree(&mut sight, &state, None), form(&state))], 0);
    for _ in 0..STEPS {
        let movers = machine.movers(&state);
        if movers.is_empty() || random.one_in(500) {
            let (tree, before) = &stored[stored.len() - 1 - random.below(stored.len().min(200))];
            state = store.state(&store.unpack(*tree)).clone();
            assert_eq!(form(&state), *before, "a state comes out of the store as it was");
            machine.check_normal(&state);
            continue;
        }
        let mover = random.pick(&movers);
        let step = machine.step(&mut state, mover, 0, Grain::Visible, &mut ());
        assert!(step.faults.is_empty(), "{:?}", step.faults);
        if step.end.is_some() {
            ends += 1;
            state = machine.initial();
        }
        machine.normalise(&mut state);
        if random.one_in(4) {
            machine.check_normal(&state);
        }
        let tree = store.tree(&mut sight, &state, None);
        let same = stored.iter().find(|(known, _)| *known == tree);
        assert!(same.is_none_or(|(_, before)| *before == form(&state)), "one tree has one form");
        stored.push((tree, form(&state)));
    }
    assert!(ends > 0, "an execution came to its end");
}
