//! Temporal logic: which propositions hold in a state, and which steps can change them.
//!
//! A proposition is a matter of the state alone:
//!
//! - a condition holds by the values of global variables;
//! - a label holds while a thread is in the call of `tp_label` with its name, and
//!   `progress` while one is in a call of `tp_progress`: from the call, which is a step,
//!   to the return, which is another one;
//! - a position holds while the thread's innermost call of the function stands there;
//! - `terminated` holds once the process has ended.
//!
//! The tau reduction keeps the meaning of formulas without *next*. Instructions that may
//! change a proposition are visible ([`Watch`]), so that a step changes propositions by its
//! first instruction only, and the states within a step have the letters of the states
//! before and after it. Let an execution of single instructions be given. Each instruction
//! that is invisible commutes with what other threads do between the instruction of its
//! thread before it and itself, and changes no proposition; so it can be moved there. What
//! results is an execution of steps whose letters are the same but for repetitions. A thread
//! that stands still in the first execution before an invisible instruction stands still
//! after it in the second; what it does for ever (`MAX_INVISIBLE`) are steps.

mod monitor;
mod proposition;
mod watch;

use std::sync::Arc;

use ir::Program;
use ltl::Formula;
use serde::{Deserialize, Serialize};

use monitor::Monitor;
pub(crate) use proposition::Proposition;
pub(crate) use watch::Watch;

use crate::machine::Machine;
use crate::state::State;
use crate::telling::fault::{Fault, FaultKind, ThreadId, Turn};

/// Which executions count.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fairness {
    /// All.
    None,
    /// Those in which a thread moves again and again if it can move all the time.
    #[default]
    Weak,
    /// Those in which a thread moves again and again if it can move again and again.
    Strong,
}

impl Fairness {
    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Fairness::None => "none",
            Fairness::Weak => "weak",
            Fairness::Strong => "strong",
        }
    }

    /// The fairness with this name.
    pub fn from_name(name: &str) -> Option<Fairness> {
        [Fairness::None, Fairness::Weak, Fairness::Strong].into_iter().find(|known| known.name() == name)
    }
}

/// What is asked, as the user wrote it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Question {
    /// The formulas.
    pub formulas: Vec<String>,
    /// Names of propositions, each with what it stands for.
    pub names: Vec<(String, String)>,
    /// Which executions count.
    pub fairness: Fairness,
}

/// Formulas that every execution which counts has to fulfil.
#[derive(Debug)]
pub struct Temporal {
    /// What was asked.
    pub question: Question,
    /// The formulas, over the propositions.
    pub formulas: Vec<Formula>,
    propositions: Vec<Proposition>,
    pub(crate) watch: Watch,
    /// What decides the formulas step by step, if they are safety formulas.
    monitor: Option<Monitor>,
}

/// The most propositions.
const MOST: usize = 64;

impl Temporal {
    /// Finds out what the names in formulas mean in a program.
    pub fn new(question: Question, program: &Program) -> Result<Arc<Temporal>, String> {
        let (mut names, mut formulas): (Vec<String>, Vec<Formula>) = (Vec::new(), Vec::new());
        for text in &question.formulas {
            let parsed = ltl::parse(text).map_err(|error| format!("the formula `{text}`, {error}"))?;
            let numbers: Vec<u32> = parsed.atoms.into_iter().map(|atom| number(&mut names, atom)).collect();
            formulas.push(parsed.formula.renumbered(&numbers));
        }
        if names.len() > MOST {
            return Err(format!("more than {MOST} propositions"));
        }
        let resolve = |name: &String| {
            let known = question.names.iter().find(|(known, _)| known == name);
            Proposition::resolve(known.map_or(name, |(_, meaning)| meaning), program)
        };
        let propositions: Vec<Proposition> = names.iter().map(resolve).collect::<Result<_, _>>()?;
        let watch = Watch::new(&propositions, program);
        let monitor = Monitor::new(&formulas);
        Ok(Arc::new(Temporal { question, formulas, propositions, watch, monitor }))
    }
}

/// The number of a name, which is added if it is new.
fn number(names: &mut Vec<String>, name: String) -> u32 {
    let known = names.iter().position(|known| *known == name);
    known.unwrap_or_else(|| {
        names.push(name);
        names.len() - 1
    }) as u32
}

impl Machine {
    /// What is asked about executions as a whole.
    pub fn temporal(&self) -> Option<&Temporal> {
        self.config().temporal.as_deref()
    }

    /// The propositions that hold in a state, as a set; `ended` if the process has ended in
    /// it.
    pub fn letter(&self, state: &State, ended: bool) -> ltl::Letter {
        let Some(temporal) = self.temporal() else { return 0 };
        let holds = |proposition: &Proposition| self.holds(state, ended, proposition);
        let bits = temporal.propositions.iter().zip(0..).map(|(p, bit)| u64::from(holds(p)) << bit);
        bits.fold(0, |letter, bit| letter | bit)
    }

    /// The fault of an execution that does not fulfil a formula. It goes round from the
    /// step with number `start` on, if there is one; these threads move there.
    pub fn violated_formula(
        &self,
        state: &State,
        formula: &str,
        start: Option<usize>,
        threads: &[ThreadId],
    ) -> Fault {
        let turn = |thread: &ThreadId| Turn { thread: *thread, at: self.position(state, *thread) };
        let turns: Vec<Turn> = threads.iter().map(turn).collect();
        let fairness = self.temporal().map_or(Fairness::default(), |temporal| temporal.question.fairness);
        let kind = FaultKind::Formula { formula: formula.to_owned(), fairness, start, turns };
        self.fault(state, threads.first().copied().unwrap_or(ThreadId(0)), kind)
    }
}
