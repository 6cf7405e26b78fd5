//! A solver that gives up or fails: never `safe`, always with the reason.

use std::sync::Arc;

use bounded::{Options, Strategy, check_with};
use engine::{Bounds, Budget, Outcome, Progress, Task, Verdict};
use logic::{Answer, Limits, Solver, SolverError, SolverKind, Statistics, Term, Terms};
use machine::{Config, Machine};

/// What a faulty solver does instead of answering.
#[derive(Clone, Copy, Debug)]
enum Failing {
    OutOfTime,
    Unknown,
    Error,
    /// And from then on at every question.
    ErrorForEver,
}

/// A real solver that fails at a question.
struct Faulty {
    solver: Box<dyn Solver>,
    failing: Failing,
    /// So many questions it answers.
    good: u64,
    asked: u64,
}

impl Solver for Faulty {
    fn assert(&mut self, terms: &Terms, term: Term) {
        self.solver.assert(terms, term);
    }

    fn push(&mut self) {
        self.solver.push();
    }

    fn pop(&mut self) {
        self.solver.pop();
    }

    fn check(&mut self, terms: &Terms, assumptions: &[Term]) -> Result<Answer, SolverError> {
        self.asked += 1;
        let now = self.asked.checked_sub(1) == Some(self.good);
        let error = SolverError::Failed { solver: SolverKind::Cadical, message: "a fault made up".into() };
        match self.failing {
            Failing::OutOfTime if now => Ok(Answer::Unknown("the solver ran out of time".into())),
            Failing::Unknown if now => Ok(Answer::Unknown("incomplete".into())),
            Failing::Error if now => Err(error),
            Failing::ErrorForEver if self.asked > self.good => Err(error),
            _ => self.solver.check(terms, assumptions),
        }
    }

    fn limit(&mut self, limits: Limits) {
        self.solver.limit(limits);
    }

    fn statistics(&self) -> Statistics {
        self.solver.statistics()
    }
}

const SAFE: &str = "int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  __VERIFIER_assume(n < 5);
  unsigned sum = 0;
  for (unsigned i = 0; i < n; i++) sum += i;
  assert(sum * 2 == n * (n - 1));
  return 0;
}
";

fn machine(source: &str) -> Machine {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("a.c");
    let declared =
        "#include <assert.h>\nunsigned __VERIFIER_nondet_uint(void);\nvoid __VERIFIER_assume(int);\n";
    std::fs::write(&path, format!("{declared}{source}")).expect("a file");
    let program = frontend::load(&[path], &frontend::Options::default()).expect("a program");
    Machine::new(Arc::new(program), Config::default())
}

fn run(machine: &Machine, strategy: Strategy, failing: Failing, good: u64) -> Outcome {
    let solver = logic::open(SolverKind::Cadical).expect("built in");
    let solver = Faulty { solver, failing, good, asked: 0 };
    let (budget, progress) = (Budget::unlimited(), Progress::default());
    let task = Task { machine, budget: &budget, bounds: Bounds::default(), progress: &progress };
    check_with(&task, &Options { strategy, ..Options::default() }, Box::new(solver))
}

const STRATEGIES: [Strategy; 3] = [Strategy::Lazy, Strategy::Recording, Strategy::Widening];

#[test]
fn a_solver_that_does_not_answer_proves_nothing() {
    let machine = machine(SAFE);
    for strategy in STRATEGIES {
        let well = run(&machine, strategy, Failing::Error, u64::MAX);
        assert!(matches!(well.verdict, Verdict::Holds { .. }), "{strategy:?}: {:?}", well.verdict);
        let questions = well.stats.count(bounded::counters::SOLVER_CALLS).expect("they are counted");
        assert!(questions >= 4, "{strategy:?} asks {questions} questions");
        for (failing, reason) in [
            (Failing::OutOfTime, "ran out of time"),
            (Failing::Unknown, "incomplete"),
            (Failing::Error, "a fault made up"),
            (Failing::ErrorForEver, "a fault made up"),
        ] {
            for good in 0..questions {
                let outcome = run(&machine, strategy, failing, good);
                let Verdict::Unknown { reason: found, .. } = &outcome.verdict else {
                    panic!("{strategy:?}, {failing:?} after {good}: {:?}", outcome.verdict);
                };
                assert!(
                    found.to_string().contains(reason),
                    "{strategy:?}, {failing:?} after {good}: {found}"
                );
            }
        }
    }
}

#[test]
fn a_violation_is_reported_only_if_it_comes_about() {
    let machine = machine(&SAFE.replace("sum * 2 ==", "n == 3 || sum * 2 + n / 4 =="));
    for strategy in STRATEGIES {
        let well = run(&machine, strategy, Failing::Error, u64::MAX);
        assert!(matches!(well.verdict, Verdict::Violated { .. }), "{strategy:?}: {:?}", well.verdict);
        for failing in [Failing::OutOfTime, Failing::Unknown, Failing::Error, Failing::ErrorForEver] {
            for good in 0..well.stats.count(bounded::counters::SOLVER_CALLS).expect("they are counted") {
                match run(&machine, strategy, failing, good).verdict {
                    Verdict::Violated { fault, trace } => {
                        let replayed = trace::replay(&machine, &trace, &fault, &mut ());
                        replayed.unwrap_or_else(|e| panic!("{strategy:?}, {failing:?} after {good}: {e}"));
                    }
                    Verdict::Unknown { .. } => {}
                    Verdict::Holds { .. } => panic!("{strategy:?}, {failing:?} after {good}: safe"),
                }
            }
        }
    }
}
