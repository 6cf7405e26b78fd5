//! What is followed from state to state is the same as what is found out from all
//! threads: which of them can move, and whose clocks know of what. That is compared with
//! many threads, which wait for everything that there is to wait for, along random
//! executions that now and then go on from an earlier state.

use std::sync::Arc;

use generate::Random;
use machine::{Config, Enabled, Grain, Machine, State};
use store::{Sight, Store};

/// Threads of seven kinds. Of those of the last kind two each lock a mutex that none of
/// them unlocks: one is stuck once the other has ended.
const PROGRAM: &str = "
#include <pthread.h>
#include <semaphore.h>
#define THREADS 84
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
struct {
    pthread_mutex_t lock;
    int turn;
} both = {PTHREAD_MUTEX_INITIALIZER};
#define lock both.lock
#define turn both.turn
pthread_mutex_t own[THREADS];
pthread_rwlock_t door = PTHREAD_RWLOCK_INITIALIZER;
pthread_cond_t turned = PTHREAD_COND_INITIALIZER;
pthread_barrier_t barrier;
pthread_t threads[THREADS];
sem_t items;
void *works(void *arg) {
    long i = (long)arg;
    switch (i % 7) {
    case 0:
        pthread_mutex_lock(&lock);
        turn++;
        pthread_cond_signal(&turned);
        pthread_mutex_unlock(&lock);
        break;
    case 1:
        pthread_mutex_lock(&lock);
        while (turn < 3)
            pthread_cond_wait(&turned, &lock);
        pthread_mutex_unlock(&lock);
        break;
    case 2:
        sem_wait(&items);
        sem_post(&items);
        break;
    case 3:
        __VERIFIER_atomic_begin();
        turn++;
        if (turn == 2) {
            pthread_mutex_lock(&lock);
            turn--;
            pthread_mutex_unlock(&lock);
        }
        __VERIFIER_atomic_end();
        break;
    case 4:
        pthread_barrier_wait(&barrier);
        break;
    case 5:
        pthread_rwlock_rdlock(&door);
        pthread_rwlock_unlock(&door);
        pthread_rwlock_wrlock(&door);
        turn++;
        pthread_rwlock_unlock(&door);
        break;
    default:
        if (i % 3 == 0)
            pthread_join(threads[i - 1], 0);
        pthread_mutex_lock(&own[i / 14]);
    }
    return 0;
}
int main(void) {
    pthread_barrier_init(&barrier, 0, 4);
    sem_init(&items, 0, 1);
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, works, (void *)i);
    for (int i = 0; i < THREADS; i += 7)
        pthread_join(threads[i], 0);
    pthread_join(threads[4], 0);
}";

/// Steps of all executions together.
const STEPS: usize = 6_000;

/// Steps in which whose clocks know of what is followed.
const CLOCKED: usize = 3_000;

fn machine() -> Machine {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("many.c");
    std::fs::write(&path, PROGRAM).unwrap();
    let program = frontend::load(&[path], &frontend::Options::default()).unwrap();
    Machine::new(Arc::new(program), Config::default())
}

#[test]
fn whose_clocks_know_of_what_is_followed() {
    let machine = machine();
    let (mut random, store, mut sight) = (Random::new(11), Store::new(&machine), Sight::new());
    let mut state = machine.initial();
    machine.normalise(&mut state);
    let (mut trees, mut most) = (vec![store.tree(&mut sight, &state, None)], 0);
    for _ in 0..CLOCKED {
        let movers = machine.movers(&state);
        if movers.is_empty() || random.one_in(30) {
            let tree = trees[random.below(trees.len())];
            state = store.state(&store.unpack(tree)).clone();
            machine.check_normal(&state);
            continue;
        }
        let main = movers.first().copied().filter(|_| random.one_in(2) || most < 60);
        let mover = main.unwrap_or_else(|| random.pick(&movers));
        let choice = random.below(machine.choices_of(&state, mover).unwrap() as usize) as u64;
        let before = state.clone();
        if machine.step(&mut state, mover, choice, Grain::Visible, &mut ()).end.is_some() {
            state = before;
            continue;
        }
        machine.normalise(&mut state);
        if random.one_in(3) {
            machine.check_normal(&state);
        }
        trees.push(store.tree(&mut sight, &state, None));
        most = most.max(state.thread_ids().len());
    }
    assert!(most > 64, "{most} threads");
}

#[test]
fn threads_that_can_move_are_followed() {
    let machine = machine();
    let (mut random, mut enabled) = (Random::new(7), Enabled::default());
    let mut states = vec![machine.initial()];
    let mut stuck = 0;
    for _ in 0..STEPS {
        let mut state: State = match random.one_in(40) {
            true => states[random.below(states.len())].clone(),
            false => states.last().unwrap().clone(),
        };
        enabled.follow(&machine, &state);
        assert!(enabled.is_right(&machine, &state));
        stuck += usize::from(enabled.has_stuck());
        // `main` is left behind seldom, so that many threads are there soon.
        let movers = machine.movers(&state);
        let mover = movers.first().copied().filter(|_| random.one_in(2) || states.len() < 120);
        let goes_on = !movers.is_empty() && {
            let mover = mover.unwrap_or_else(|| random.pick(&movers));
            let choices = machine.choices_of(&state, mover).unwrap();
            let choice = random.below(choices as usize) as u64;
            machine.step(&mut state, mover, choice, Grain::Visible, &mut ()).end.is_none()
        };
        if goes_on {
            if random.one_in(3) {
                machine.normalise(&mut state);
            }
            states.push(state);
        } else {
            let keep = random.below(states.len());
            states.truncate(keep.max(1));
        }
    }
    let most = states.iter().map(|state| state.thread_ids().len()).max().unwrap();
    assert!(most > 64 && (100..STEPS - 100).contains(&stuck), "{most} threads, {stuck} stuck");
}
