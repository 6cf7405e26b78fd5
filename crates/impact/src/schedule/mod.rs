//! Schedules under which a program is safe for all inputs: Algorithm 1 of Metzler, Suri and
//! Weissenbacher, "Extracting safe thread schedules from incomplete model checking results".
//!
//! The algorithm of the paper builds one tree, in which it schedules one thread at each node.
//! Here the scheduler (`scheduler`) is a strategy over what the runtime can observe, the
//! program under it is a product in which one thread moves at each vertex (`build`), and
//! the tree is built over that product as over any other. What the paper calls
//! `Check_Enabledness` is a step to a fault wherever the thread whose turn it is cannot move:
//! the proof shows that it is never taken. If an execution leads there, or to a fault of the
//! program, the last decision on its way that can be another one is taken back (`Backtrack`).
//! Where a cycle leaves out a thread that can move, that thread moves at one of its vertices
//! from now on (`fair`). A product that is proven becomes sections (`extract`).

mod build;
mod extract;
mod fair;
mod scheduler;

use std::time::Duration;

use certify::{Endings, Proof};
use engine::{Exceeded, Task};
use ir::Location;
use logic::{Term, Terms};
use machine::{Fault, Grain, Machine, ThreadId};
use rustc_hash::FxHashSet;
use schedule::{Native, Section, SiteId};
use trace::Trace;

use crate::attempt::Attempt;
use crate::check::{CONFLICTS_PER_NODE, Check, FIRST_NODES, MORE_NODES, MORE_TIME, MOST_VERTICES, Options};
use crate::contract::Contraction;
use crate::precision::{FEW, Precision};
use crate::product::Unfinished;
use crate::proof::Keeper;
use crate::prover::NoAnswer;
use crate::schedule::build::{Builder, Built, is_obstacle};
use crate::schedule::extract::{Extracted, Extraction, Obscure, coarse};
use crate::schedule::fair::{pieces, unfair};
use crate::schedule::scheduler::{Scheduler, Turn, ViewId};
use crate::search::End;
use crate::system::System;

pub use scheduler::{Freedom, Manner, Strategy};

/// A schedule with its proof.
pub struct Found {
    /// The sites of its events.
    pub sites: Vec<SiteId>,
    /// Its sections, the first one first.
    pub sections: Vec<Section>,
    /// The same with fewer events, and without operations that are redundant.
    pub coarse: Option<Coarse>,
    /// Why it is safe.
    pub proof: Proof,
}

/// A schedule that permits what another one does, in larger pieces.
pub struct Coarse {
    /// The sites of its events.
    pub sites: Vec<SiteId>,
    /// Its sections.
    pub sections: Vec<Section>,
    /// The operations that it makes redundant.
    pub omitted: Vec<SiteId>,
}

/// What came of looking for a schedule.
pub struct Synthesis {
    /// The schedule, or why there is none.
    pub found: Result<Box<Found>, NotFound>,
    /// Executions that go wrong, which the schedule does not permit.
    pub faults: Vec<(Fault, Trace)>,
    /// How often a decision was taken back, or changed for fairness.
    pub changes: usize,
}

/// Why there is no schedule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NotFound {
    /// An execution goes wrong in which no thread but those that moved could have. If it comes to
    /// no fault but to where a thread has to wait, or assumes what does not hold: there.
    Impossible(Option<Location>),
    /// A limit was reached.
    Exceeded(Exceeded),
    /// None was found, for this reason.
    Unknown(String),
}

/// With more vertices than this, inputs of a few values become data.
const MANY_VERTICES: usize = 20_000;

/// Registers and places in memory with up to so many values belong to locations, in one attempt
/// after the other. At first loops are followed round by round, so that indices of arrays are
/// known, but what is counted in memory becomes data soon: were both known, each round of a
/// loop would be there once for each number of such a counter.
const ATTEMPTS: [(usize, usize); 3] = [(40, 8), (40, 40), (FEW, FEW)];

/// So often are decisions changed.
const MOST_CHANGES: usize = 400;

/// What a question may take while a product is built, and how long all may if there is no limit.
const MOST_CONFLICTS: u32 = 100_000;
const A_LONG_TIME: Duration = Duration::from_secs(24 * 3600);

/// How long a first attempt at a proof may take.
const FIRST_TIME: Duration = Duration::from_secs(2);

/// Looks for a schedule of a program, of which native code has some functions.
pub fn synthesise(task: &Task<'_>, native: &Native, manner: &Manner) -> Synthesis {
    let keeper = Keeper::default();
    let options = Options { keeper: Some(keeper.clone()), ..Options::default() };
    let check = match Check::new(task, &options) {
        Ok(check) => check,
        Err(error) => {
            let found = Err(NotFound::Unknown(error.to_string()));
            return Synthesis { found, faults: Vec::new(), changes: 0 };
        }
    };
    let scheduler = Scheduler::new(task.machine, native, manner.clone());
    let (faults, few) = (Vec::new(), ATTEMPTS[0]);
    let mut search =
        Synthesiser { task, options: &options, check, scheduler, keeper, faults, changes: 0, few };
    let mut found = search.run();
    for few in &ATTEMPTS[1..] {
        if let Err(NotFound::Unknown(_)) = found {
            search.scheduler = Scheduler::new(task.machine, native, manner.clone());
            (search.few, search.changes) = (*few, 0);
            found = found.or_else(|first| search.run().map_err(|second| second.or(first)));
        }
    }
    Synthesis { found, faults: search.faults, changes: search.changes }
}

impl NotFound {
    /// What to say of two attempts.
    fn or(self, first: NotFound) -> NotFound {
        if matches!(self, NotFound::Impossible(_)) { self } else { first }
    }
}

struct Synthesiser<'a> {
    task: &'a Task<'a>,
    options: &'a Options,
    check: Check<'a>,
    scheduler: Scheduler<'a>,
    keeper: Keeper,
    faults: Vec<(Fault, Trace)>,
    changes: usize,
    /// Registers and places in memory with more values become data.
    few: (usize, usize),
}

fn unknown(why: &str) -> NotFound {
    NotFound::Unknown(why.to_owned())
}

impl<'a> Synthesiser<'a> {
    fn run(&mut self) -> Result<Box<Found>, NotFound> {
        self.forget_data();
        loop {
            let (mut attempt, built) = self.build()?;
            if let Some(unfair) = unfair(&built)
                && self.is_put_off(&mut attempt, &built)?
            {
                self.change()?;
                let views = unfair.vertices.iter().filter_map(|at| {
                    match built.scheduled[*at as usize].turn.clone() {
                        Turn::Event(_, view) => Some(view),
                        _ => None,
                    }
                });
                let forced = views.into_iter().any(|view| self.scheduler.force(view, unfair.thread));
                if !forced {
                    return Err(NotFound::Unknown(self.endless(&built, unfair.vertices[0], unfair.thread)));
                }
                continue;
            }
            match self.prove(&mut attempt)? {
                None => match self.found(&built)? {
                    Ok(found) => return Ok(found),
                    Err(site) if self.scheduler.list(site) => self.change()?,
                    Err(_) => return Err(unknown("what is to be done next cannot be observed")),
                },
                Some((fault, steps)) => self.backtrack(*fault, &steps)?,
            }
        }
    }

    /// Whether a thread is put off for ever though loops end, as far as that can be shown.
    fn is_put_off(&mut self, attempt: &mut Attempt<'a>, built: &Built) -> Result<bool, NotFound> {
        let Check { terms, prover, .. } = &mut self.check;
        let locations = built.product.vertices.iter().map(|vertex| vertex.location);
        let data: FxHashSet<Term> =
            locations.flat_map(|location| attempt.system.data_at(terms, location)).collect();
        let implies =
            |terms: &mut Terms, from: &[Term], condition: Term| prover.implies(terms, from, condition);
        let found = Endings { terms, implies, data: &data }.put_off(&pieces(&attempt.product, built));
        found.map(|found| found.is_some()).map_err(|_| {
            let exceeded = self.task.budget.exceeded().map(NotFound::Exceeded);
            exceeded.unwrap_or(unknown("the solver gave no answer"))
        })
    }

    /// Why a thread may be put off for ever.
    fn endless(&self, built: &Built, vertex: u32, thread: ThreadId) -> String {
        let mover = built.product.vertices[vertex as usize].movers.first();
        match mover {
            Some(mover) => format!("{thread} may have to wait for {mover} for ever"),
            None => format!("{thread} may have to wait for ever"),
        }
    }

    /// What was found to be data may not be under another schedule.
    fn forget_data(&mut self) {
        let (few, few_in_memory) = self.few;
        self.check.precision = Precision::unlike(few, few_in_memory);
    }

    /// Counts a change of decisions.
    fn change(&mut self) -> Result<(), NotFound> {
        self.changes += 1;
        self.forget_data();
        if self.changes > MOST_CHANGES { Err(unknown("too many schedules do not work")) } else { Ok(()) }
    }

    /// The product under the scheduler, as it is and without what can be passed over.
    fn build(&mut self) -> Result<(Attempt<'a>, Built), NotFound> {
        // The limits of the last proof are not those of what comes now.
        let left = self.task.budget.remaining().unwrap_or(A_LONG_TIME);
        self.check.prover.limit(MOST_CONFLICTS, left);
        loop {
            self.scheduler.begin_anew();
            let mut system = System::new(self.task.machine, self.check.precision.clone());
            system.grain = Grain::Instruction;
            let Check { terms, prover, guide, precision, .. } = &mut self.check;
            let (root, initial) = system.initial(terms);
            let many = if precision.all_inputs { usize::MAX } else { MANY_VERTICES };
            let limits = (many, MOST_VERTICES);
            let parts = (&mut system, &mut self.scheduler);
            let builder = Builder::new(self.task, parts, (terms, guide, prover), limits);
            let built = builder.build(root, &initial);
            if let Some(what) = &self.scheduler.unsupported {
                return Err(NotFound::Unknown(format!("no schedule can restrict {what}")));
            }
            match built {
                // What was found without all events says nothing about what is data.
                Ok(_) | Err(Unfinished::TooCoarse) if self.scheduler.must_begin_anew() => {}
                Ok(built) => {
                    *precision = system.precision.clone();
                    let whole = built.product.vertices.clone();
                    let mut product = crate::product::Product::default();
                    product.vertices = whole.clone();
                    if (Contraction { terms, prover }).contract(&mut product).is_err() {
                        let exceeded = self.task.budget.exceeded().map(NotFound::Exceeded);
                        return Err(exceeded.unwrap_or(unknown("steps could not be taken together")));
                    }
                    return Ok((Attempt::new(system, product, whole, initial), built));
                }
                Err(Unfinished::TooCoarse) => *precision = system.precision,
                Err(Unfinished::ManyChoices) => {
                    *precision = system.precision;
                    precision.all_inputs = true;
                }
                Err(Unfinished::TooLarge | Unfinished::NotAlike) => {
                    return Err(unknown("the program has too many locations"));
                }
                Err(Unfinished::Exceeded(exceeded)) => return Err(NotFound::Exceeded(exceeded)),
                Err(Unfinished::Late | Unfinished::NoAnswer) => {
                    let exceeded = self.task.budget.exceeded().map(NotFound::Exceeded);
                    return Err(exceeded.unwrap_or(unknown("the solver gave no answer")));
                }
            }
        }
    }

    /// Proves that nothing goes wrong, or finds an execution that does.
    #[allow(clippy::type_complexity)]
    fn prove(
        &mut self,
        attempt: &mut Attempt<'a>,
    ) -> Result<Option<(Box<Fault>, Vec<(ThreadId, u64)>)>, NotFound> {
        let (mut most, mut time) = (FIRST_NODES, FIRST_TIME);
        loop {
            let mut open = false;
            let mut reason = "no proof was found".to_owned();
            for level in attempt.levels(self.options.invariants) {
                self.check.prover.limit(most as u32 * CONFLICTS_PER_NODE, time);
                match self.check.search(attempt, *level, most) {
                    End::Proven => return Ok(None),
                    End::Fault(fault, steps) => return Ok(Some((fault, steps))),
                    End::TooLarge | End::NoAnswer(NoAnswer::Hard) => open = true,
                    End::NoAnswer(NoAnswer::Input) => {
                        reason = "why a path is impossible depends on an input".to_owned();
                    }
                    End::NoAnswer(NoAnswer::Failed(why)) => reason = why,
                    End::Exceeded(exceeded) => return Err(NotFound::Exceeded(exceeded)),
                    End::NotReplayable => {
                        return Err(unknown("an execution that goes wrong cannot be replayed"));
                    }
                    End::Cut(cut) => return Err(NotFound::Unknown(cut.to_string())),
                }
            }
            if !open {
                return Err(NotFound::Unknown(reason));
            }
            (most, time) = (most * MORE_NODES, time * MORE_TIME);
        }
    }

    /// The schedule of a product; or a site that must be an event, too.
    fn found(&mut self, built: &Built) -> Result<Result<Box<Found>, SiteId>, NotFound> {
        let proof = self.keeper.take().ok_or_else(|| unknown("the proof was not kept"))?;
        match Extraction::new(built, &self.scheduler).sections() {
            Ok(fine) => {
                let coarse = coarse(built, &self.scheduler, &fine);
                let Extracted { sites, sections } = fine;
                Ok(Ok(Box::new(Found { sites, sections, coarse, proof })))
            }
            Err(Obscure::Site(site)) => Ok(Err(site)),
            Err(Obscure::Other) => Err(unknown("what is to be done next cannot be observed")),
        }
    }

    /// Takes back the last decision on the way to a fault that can be another one.
    fn backtrack(&mut self, fault: Fault, steps: &[(ThreadId, u64)]) -> Result<(), NotFound> {
        self.change()?;
        let machine = self.task.machine;
        let decisions = self.decisions(steps);
        let obstacle = is_obstacle(&fault).then(|| fault.at.clone());
        if !is_obstacle(&fault) && machine.asks(&fault.kind) {
            let (trace, concrete) = trace::execute(machine, Grain::Instruction, steps.iter().copied());
            self.faults.push((concrete.unwrap_or(fault), trace));
        }
        let mut earlier = decisions.iter().rev();
        if earlier.any(|(view, thread, others)| self.scheduler.take_back(*view, *thread, others)) {
            return Ok(());
        }
        match decisions.iter().all(|(_, _, candidates)| candidates.len() <= 1) {
            true => Err(NotFound::Impossible(obstacle)),
            false => Err(unknown("all schedules that were tried go wrong")),
        }
    }

    /// The decisions on the way of an execution: who moved, and who could have.
    fn decisions(&mut self, steps: &[(ThreadId, u64)]) -> Vec<(ViewId, ThreadId, Vec<ThreadId>)> {
        let machine: &Machine = self.task.machine;
        let (mut state, mut memory) = (machine.initial(), self.scheduler.memory());
        let mut decisions = Vec::new();
        for (thread, choice) in steps {
            let turn = self.scheduler.turn(&state, &memory);
            if let Turn::Event(_, view) = turn.clone() {
                let candidates = self.scheduler.candidates(&state, self.scheduler.view(view));
                decisions.push((view, *thread, candidates));
            }
            let before = state.clone();
            let step = machine.step(&mut state, *thread, *choice, Grain::Instruction, &mut ());
            trace::refresh(machine, Grain::Instruction, &mut state);
            if step.end.is_some() {
                break;
            }
            memory = self.scheduler.after(&memory, &turn, (&before, &state), *thread);
        }
        decisions
    }
}
