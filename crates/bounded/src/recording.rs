//! Schedule recording (section 3.3) and underapproximation with widening
//! (section 3.4): all interleavings in one formula.
//!
//! The tree is explored without a solver. Every violation met on the way is a
//! verification condition: the conditions of its path, guarded by the schedule
//! that leads to it (`ts_i = j`: after the i-th context switch thread j runs).
//! Their disjunction is put to the solver once for each bound.
//!
//! With widening, a control literal for each guard says whether the schedule
//! may use it. At first only those of the first interleaving may; an
//! unsatisfiable core names the literals to release (Figure 5).

use std::rc::Rc;

use logic::{Answer, Evaluation, Model, Term, Terms};
use machine::{Fault, Mover, ThreadId};
use rustc_hash::FxHashMap;
use symbolic::Questions;

use crate::node::Choice;

/// A violation that may come about.
pub struct Recorded {
    /// The fault.
    pub fault: Fault,
    /// The steps to it.
    pub steps: Vec<(Mover, Choice)>,
    /// The conditions under which they lead there.
    pub conditions: Vec<Term>,
}

/// A violation, and inputs under which it comes about.
pub type Shown = (Rc<Recorded>, Rc<Model>);

/// The formula so far.
pub struct Formula {
    widening: bool,
    /// Whether an interleaving was followed to its end.
    ended: bool,
    recorded: Vec<(Rc<Recorded>, Term)>,
    /// Thread selection variables, by number of context switches.
    selections: Vec<Term>,
    /// Control literals by guard, with widening.
    literals: FxHashMap<(usize, ThreadId), Term>,
    /// Guards that a schedule may use without asking.
    released: Vec<Term>,
    /// How often the solver was asked.
    iterations: u64,
}

/// So many threads a selection variable can name.
const SELECTION_WIDTH: u8 = 32;

/// The thread that runs after each context switch. A store buffer takes the processor from
/// no thread.
fn schedule(steps: &[(Mover, Choice)]) -> Vec<ThreadId> {
    let mut threads: Vec<ThreadId> = steps.iter().filter_map(|(mover, _)| mover.as_thread()).collect();
    threads.dedup();
    threads
}

impl Formula {
    /// The formula before any interleaving.
    pub fn new(widening: bool) -> Formula {
        Formula {
            widening,
            ended: false,
            recorded: Vec::new(),
            selections: Vec::new(),
            literals: FxHashMap::default(),
            released: Vec::new(),
            iterations: 0,
        }
    }

    /// How often the solver was asked.
    pub fn iterations(&self) -> u64 {
        self.iterations
    }

    /// Notes the end of an interleaving. Widening starts from the first one.
    pub fn note_end(&mut self, terms: &mut Terms, steps: &[(Mover, Choice)]) {
        if !std::mem::replace(&mut self.ended, true) && self.widening {
            self.release(terms, steps);
        }
    }

    /// Adds a verification condition: an interleaving that ends in a violation.
    pub fn add(&mut self, terms: &mut Terms, recorded: Recorded) {
        self.note_end(terms, &recorded.steps);
        let mut parts = recorded.conditions.clone();
        for (index, thread) in schedule(&recorded.steps).into_iter().enumerate() {
            parts.push(self.guard(terms, index, thread));
            if self.widening {
                parts.push(self.literal(terms, index, thread));
            }
        }
        let condition = terms.all(parts);
        self.recorded.push((Rc::new(recorded), condition));
    }

    /// Lets schedules use what the first interleaving uses.
    fn release(&mut self, terms: &mut Terms, steps: &[(Mover, Choice)]) {
        for (index, thread) in schedule(steps).into_iter().enumerate() {
            let literal = self.literal(terms, index, thread);
            self.released.push(literal);
        }
    }

    /// `ts_index = thread`.
    fn guard(&mut self, terms: &mut Terms, index: usize, thread: ThreadId) -> Term {
        while self.selections.len() <= index {
            let name = format!("ts{}", self.selections.len());
            self.selections.push(terms.variable(SELECTION_WIDTH, name));
        }
        let thread = terms.constant(SELECTION_WIDTH, thread.0.into());
        terms.eq(self.selections[index], thread)
    }

    fn literal(&mut self, terms: &mut Terms, index: usize, thread: ThreadId) -> Term {
        let name = || format!("cl{index}_{}", thread.0);
        *self.literals.entry((index, thread)).or_insert_with(|| terms.variable(1, name()))
    }

    /// A violation that comes about, with its inputs.
    pub fn solve(&mut self, terms: &mut Terms, questions: &mut Questions) -> Result<Option<Shown>, String> {
        if self.recorded.is_empty() {
            return Ok(None);
        }
        let any = terms.any(self.recorded.iter().map(|(_, condition)| *condition));
        loop {
            let mut assumptions = vec![any];
            let mut closed: Vec<Term> = self.literals.values().copied().collect();
            closed.retain(|literal| !self.released.contains(literal));
            closed.sort();
            for literal in &closed {
                assumptions.push(terms.not(*literal));
            }
            self.iterations += 1;
            match questions.check(terms, &assumptions)? {
                Answer::Sat(model) => return Ok(Some(self.violated(terms, model))),
                Answer::Unknown(reason) => return Err(reason),
                Answer::Unsat(core) => {
                    let before = self.released.len();
                    let blamed = closed.iter().filter(|literal| core.contains(&terms.not(**literal)));
                    self.released.extend(blamed);
                    if self.released.len() == before {
                        return Ok(None);
                    }
                }
            }
        }
    }

    /// The violation that a model shows.
    fn violated(&self, terms: &Terms, model: Model) -> Shown {
        let mut evaluation = Evaluation::new(terms, &model);
        let shown = self.recorded.iter().find(|(_, condition)| evaluation.holds(*condition));
        let recorded = Rc::clone(&shown.expect("a model of the disjunction").0);
        (recorded, Rc::new(model))
    }
}
