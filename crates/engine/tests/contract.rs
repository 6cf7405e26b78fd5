//! The contract of engines, shown by the smallest one: it runs every execution,
//! one after the other, and remembers nothing.

use std::sync::Arc;

use engine::counters::EXECUTIONS;
use engine::{
    Bounds, Budget, Cut, Ending, Engine, Evidence, Ledger, Limit, Outcome, Progress, Reason, Stats, Task,
    Verdict, Watch,
};
use machine::{Config, Fault, Grain, Machine, Properties, Property, State};
use trace::{Trace, TraceStep};

struct Naive;

impl Engine for Naive {
    fn name(&self) -> &'static str {
        "naive"
    }

    fn decides(&self) -> Properties {
        Property::safety().collect()
    }

    fn tries_values(&self) -> bool {
        true
    }

    fn check(&self, task: &Task<'_>) -> Outcome {
        let (ledger, watch) = (Ledger::default(), task.budget.watch());
        let mut walk = Walk { task, ledger, watch, steps: Vec::new(), executions: 0 };
        let ending = walk.from(&task.machine.initial()).err().unwrap_or(Ending::Exhausted);
        let stats = Stats::after(task.budget.elapsed().as_secs_f64()).with(EXECUTIONS, walk.executions);
        let covered = format!("{} executions", walk.executions);
        let evidence = Evidence::ExhaustedExecutions { executions: walk.executions };
        walk.ledger.outcome(task, ending, evidence, covered, stats)
    }
}

struct Walk<'a> {
    task: &'a Task<'a>,
    ledger: Ledger,
    watch: Watch<'a>,
    steps: Vec<TraceStep>,
    executions: u64,
}

impl Walk<'_> {
    fn from(&mut self, state: &State) -> Result<(), Ending> {
        let (machine, depth) = (self.task.machine, self.steps.len() as u64);
        if let Some(exceeded) = self.watch.exceeded() {
            return Err(Ending::GivenUp(Reason::Exceeded(exceeded)));
        }
        if let Some(fault) = machine.deadlock(state).filter(|fault| machine.asks(&fault.kind)) {
            return Err(self.violated(fault));
        }
        if self.task.bounds.depth == Some(depth) {
            self.ledger.cut(Cut::Depth(Limit::asked(depth)));
            return Ok(());
        }
        for mover in machine.movers(state) {
            let choices = machine.choices_of(state, mover).unwrap_or_else(|needs| {
                self.ledger.cut(Cut::NeedsSymbolic(needs));
                0
            });
            for choice in 0..choices {
                self.steps.push(TraceStep::new(machine, state, mover, choice));
                self.step(state)?;
                self.steps.pop();
            }
        }
        Ok(())
    }

    fn step(&mut self, from: &State) -> Result<(), Ending> {
        let (machine, mut state) = (self.task.machine, from.clone());
        let TraceStep { mover, choice, at, .. } = self.steps.last().expect("a step is taken").clone();
        let step = machine.step(&mut state, mover, choice, Grain::Visible, &mut ());
        if let Some(fault) = self.ledger.asked(machine, step.faults) {
            return Err(self.violated(fault));
        }
        let Some(end) = step.end else {
            machine.normalise(&mut state);
            return self.from(&state);
        };
        self.executions += 1;
        self.ledger.end(machine, &state, end, || at);
        Ok(())
    }

    fn violated(&self, fault: Fault) -> Ending {
        Ending::Violated(Box::new(fault), Trace { grain: Grain::Visible, steps: self.steps.clone() })
    }
}

/// Two threads that each add one to a counter, atomically or not.
fn program(counter: &str) -> Machine {
    let text = format!(
        "#include <assert.h>\n#include <pthread.h>\n{counter};\n\
         static void *add(void *_) {{ n++; return 0; }}\n\
         int main(void) {{ pthread_t a, b; pthread_create(&a, 0, add, 0); pthread_create(&b, 0, add, 0);\n\
         pthread_join(a, 0); pthread_join(b, 0); assert(n == 2); }}\n"
    );
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("a.c");
    std::fs::write(&path, text).expect("a file");
    let program = frontend::load(&[path], &frontend::Options::default()).expect("a program");
    Machine::new(
        Arc::new(program),
        Config { properties: [Property::Assert].into_iter().collect(), ..Config::default() },
    )
}

fn check(machine: &Machine, budget: &Budget, bounds: Bounds) -> Verdict {
    Naive.check(&Task { machine, budget, bounds, progress: &Progress::default() }).verdict
}

#[test]
fn what_cannot_fail_holds() {
    let verdict = check(&program("_Atomic int n"), &Budget::unlimited(), Bounds::default());
    assert!(matches!(verdict, Verdict::Holds { .. }), "{verdict:?}");
}

#[test]
fn a_violation_replays() {
    let machine = program("volatile int n");
    let verdict = check(&machine, &Budget::unlimited(), Bounds::default());
    let Verdict::Violated { fault, trace } = verdict else { panic!("{verdict:?}") };
    trace::replay(&machine, &trace, &fault, &mut ()).expect("it replays");
}

#[test]
fn what_was_cut_does_not_hold() {
    let bounds = Bounds { depth: Some(3), ..Bounds::default() };
    let verdict = check(&program("_Atomic int n"), &Budget::unlimited(), bounds);
    let Verdict::Unknown { reason: Reason::Cut(cuts), .. } = verdict else { panic!("{verdict:?}") };
    assert!(cuts.iter().all(Cut::is_asked_for), "{cuts:?}");
}
