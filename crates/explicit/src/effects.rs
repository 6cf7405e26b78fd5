//! A memory of steps: what a local step did it does again wherever its thread
//! and the few parts it depends on are the same ([`machine::Depends`]), so it
//! need not be executed again, nor the state be built that it starts from.
//!
//! It is a decision tree. For a thread in given surroundings the thread's own
//! part is looked at first; then, question by question, the parts that the
//! step met in the order in which it met them; then the answer stands there:
//! the numbers of the parts after the step, or that it must be executed.
//! Whether a thread can move is asked in the same way.
//!
//! Each worker has its own, and forgets all of it when it has grown too large.

use machine::{Enabled, Guard, Other, Prospect, Sort, State, ThreadId};
use reduction::{Locks, Note};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use store::{Loaded, Store};

/// What matters of a state besides single parts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Surroundings {
    /// The part with the addresses.
    pub addresses: u32,
    /// The part with what belongs to no thread.
    pub rest: u32,
    /// Whether at most one thread is alive.
    pub alone: bool,
    /// The first thread that is in an atomic section.
    pub atomic: Option<u32>,
    /// The threads that no other has joined, where that matters.
    pub unjoined: u128,
    /// The locks that the thread in question has, where that matters.
    pub held: Locks,
}

impl Surroundings {
    /// Those of a state. In a state with transactions it matters which threads were joined.
    /// None if they are too many to be told apart.
    pub fn of(store: &Store, loaded: &Loaded, transactions: bool) -> Option<Surroundings> {
        let (mut count, mut in_section, mut unjoined) = (0, None, 0);
        if transactions && loaded.threads() > u128::BITS as usize {
            return None;
        }
        for index in 0..loaded.threads() as u32 {
            let number = store.part(loaded, Other::Thread(index)).expect("a thread has a part");
            let Sort::Thread { alive, atomic, joined } = store.sort(number) else { continue };
            count += u32::from(alive);
            in_section = in_section.or((alive && atomic).then_some(index));
            if transactions && !joined {
                unjoined |= 1 << index;
            }
        }
        let (addresses, rest) = loaded.other_numbers();
        Some(Surroundings { addresses, rest, alone: count <= 1, atomic: in_section, unjoined, held: 0 })
    }

    /// Those of a state without transactions, whose threads are followed.
    pub fn followed(loaded: &Loaded, enabled: &Enabled) -> Surroundings {
        let (addresses, rest) = loaded.other_numbers();
        let atomic = enabled.first_inside().map(|thread| thread.0);
        Surroundings { addresses, rest, alone: enabled.is_alone(), atomic, unjoined: 0, held: 0 }
    }
}

/// What is known of a question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// The guard with this number.
    Guard(u32),
    /// The effect with this number.
    Effect(u32),
    /// The step is to be executed each time.
    Execute,
}

/// A node of the decision trees that lead from questions to answers.
#[derive(Clone, Copy, Debug)]
enum Decision {
    /// The answer depends on this part too; the branches have this number.
    Ask(Other, u32),
    Answer(Answer),
}

/// What a local step leads to: the new numbers of the parts that changed.
pub type Effect = SmallVec<[(Other, u32); 2]>;

/// What changed from one state to another of the same shape, among the given
/// parts.
pub fn effect(store: &Store, from: &Loaded, to: &State, among: impl Iterator<Item = Other>) -> Effect {
    let number = |other| (other, store.number(to.part(other), store.part(from, other)));
    among.map(number).filter(|(other, number)| store.part(from, *other) != Some(*number)).collect()
}

/// What depends on the parts that tell whether a thread can move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KnownGuard {
    /// Whether it can move.
    pub guard: Guard,
    /// Its data choices, where they are its own matter.
    pub choices: Option<u32>,
    /// Whether its step may race, where races are looked for without clocks.
    pub prospect: Prospect,
    /// What it waits for, where there are transactions.
    pub awaited: Option<Note>,
}

/// What is asked of a thread in some surroundings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Question(u32);

/// More nodes are not kept.
const MAX_NODES: usize = 1 << 18;

/// A new guard is compared with so many.
const COMPARED: usize = 64;

/// Inner nodes are numbered from here, questions below.
const FIRST_NODE: u32 = 1 << 31;

const THREAD_BITS: u32 = 8;
const CHOICE_BITS: u32 = 8;

/// More surroundings are not told apart.
const MAX_SURROUNDINGS: u32 = FIRST_NODE >> (THREAD_BITS + CHOICE_BITS);

/// What a worker knows of steps.
#[derive(Default)]
pub struct Effects {
    nodes: FxHashMap<(u32, u32), Decision>,
    /// Nodes with branches so far.
    branching: u32,
    surroundings: FxHashMap<Surroundings, u32>,
    last: Option<(Surroundings, u32)>,
    guards: Vec<KnownGuard>,
    /// Each with the number of further steps that its thread took.
    effects: Vec<(Effect, u32)>,
}

impl Effects {
    /// The number of some surroundings, good for ever. None if there are too
    /// many.
    pub fn number(&mut self, surroundings: Surroundings) -> Option<u32> {
        if let Some((last, number)) = self.last
            && last == surroundings
        {
            return Some(number);
        }
        let next = self.surroundings.len() as u32;
        let number = *self.surroundings.entry(surroundings).or_insert(next);
        if number == MAX_SURROUNDINGS {
            self.surroundings.remove(&surroundings);
            return None;
        }
        self.last = Some((surroundings, number));
        Some(number)
    }

    /// Whether a thread can move. Not asked where numbers are too large.
    pub fn whether(surroundings: u32, thread: ThreadId) -> Option<Question> {
        Effects::question(surroundings, thread, 0)
    }

    /// What a thread's step does.
    pub fn what(surroundings: u32, thread: ThreadId, choice: u64) -> Option<Question> {
        Effects::question(surroundings, thread, choice.checked_add(1)?)
    }

    fn question(surroundings: u32, thread: ThreadId, which: u64) -> Option<Question> {
        let fits = thread.0 < 1 << THREAD_BITS && which < 1 << CHOICE_BITS;
        let number = (surroundings << THREAD_BITS | thread.0) << CHOICE_BITS | which as u32;
        fits.then_some(Question(number))
    }

    /// The answer, where `own` is the thread's part and `part` finds others.
    #[inline]
    pub fn find(&self, question: Question, own: u32, part: impl Fn(Other) -> Option<u32>) -> Option<Answer> {
        let mut key = (question.0, own);
        loop {
            match *self.nodes.get(&key)? {
                Decision::Ask(other, branches) => key = (branches, part(other)?),
                Decision::Answer(answer) => return Some(answer),
            }
        }
    }

    /// Remembers an answer that depends on some others.
    pub fn learn(
        &mut self,
        question: Question,
        own: u32,
        others: &[Other],
        part: impl Fn(Other) -> Option<u32>,
        answer: Answer,
    ) {
        let mut key = (question.0, own);
        for other in others {
            let Some(number) = part(*other) else { return };
            let branches = FIRST_NODE + self.branching;
            match *self.nodes.entry(key).or_insert(Decision::Ask(*other, branches)) {
                Decision::Ask(known, at) if known == *other => {
                    self.branching += u32::from(at == branches);
                    key = (at, number);
                }
                node => unreachable!("{other:?} is asked for where {node:?} was"),
            }
        }
        let known = self.nodes.insert(key, Decision::Answer(answer));
        assert!(known.is_none(), "{known:?} was known where {answer:?} is learnt");
    }

    /// The number of a guard. Most are alike, and those of every state are looked at: those
    /// that come first have one number each, so that they lie close together.
    pub fn add_guard(&mut self, guard: KnownGuard) -> u32 {
        let known = self.guards.iter().take(COMPARED).position(|known| *known == guard);
        known.unwrap_or_else(|| {
            self.guards.push(guard);
            self.guards.len() - 1
        }) as u32
    }

    /// The guard with a number.
    pub fn guard(&self, number: u32) -> &KnownGuard {
        &self.guards[number as usize]
    }

    /// A new effect's number.
    pub fn add_effect(&mut self, effect: (Effect, u32)) -> u32 {
        self.effects.push(effect);
        self.effects.len() as u32 - 1
    }

    /// The effect with a number.
    pub fn effect(&self, number: u32) -> &(Effect, u32) {
        &self.effects[number as usize]
    }

    /// Forgets all answers if they are too many; the numbers of guards and
    /// effects are void then.
    pub fn make_room(&mut self) {
        if self.nodes.len() > MAX_NODES || self.guards.len() > MAX_NODES {
            self.nodes.clear();
            self.branching = 0;
            self.guards.clear();
            self.effects.clear();
        }
    }

    /// The bytes it takes.
    pub fn bytes(&self) -> u64 {
        let node = size_of::<((u32, u32), Decision)>() + 1;
        let bytes = self.nodes.capacity() * node
            + self.guards.capacity() * size_of::<KnownGuard>()
            + self.effects.capacity() * size_of::<(Effect, u32)>();
        bytes as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn surroundings(rest: u32) -> Surroundings {
        Surroundings { addresses: 0, rest, alone: false, atomic: None, unjoined: 0, held: 0 }
    }

    #[test]
    fn an_answer_holds_for_the_parts_it_depends_on() {
        let mut effects = Effects::default();
        let here = effects.number(surroundings(1)).unwrap();
        let question = Effects::what(here, ThreadId(0), 0).unwrap();
        let (cell, lock) = (Other::Object(1), Other::Object(2));
        let state =
            |cell_part, lock_part| move |other| Some(if other == cell { cell_part } else { lock_part });
        effects.learn(question, 10, &[cell], state(5, 7), Answer::Effect(0));
        effects.learn(question, 10, &[cell, lock], state(6, 7), Answer::Execute);
        assert_eq!(effects.find(question, 10, state(5, 8)), Some(Answer::Effect(0)));
        assert_eq!(effects.find(question, 10, state(6, 7)), Some(Answer::Execute));
        assert_eq!(effects.find(question, 10, state(6, 8)), None);
        assert_eq!(effects.find(question, 11, state(5, 7)), None);
    }

    #[test]
    fn threads_choices_and_surroundings_are_told_apart() {
        let mut effects = Effects::default();
        let (here, there) = (effects.number(surroundings(1)), effects.number(surroundings(2)));
        assert_eq!(effects.number(surroundings(1)), here);
        let (here, there) = (here.unwrap(), there.unwrap());
        let question = Effects::what(here, ThreadId(1), 0);
        effects.learn(question.unwrap(), 10, &[], |_| None, Answer::Execute);
        let others = [
            Effects::what(here, ThreadId(2), 0),
            Effects::what(here, ThreadId(1), 1),
            Effects::what(there, ThreadId(1), 0),
            Effects::whether(here, ThreadId(1)),
        ];
        assert!(others.iter().all(|other| effects.find(other.unwrap(), 10, |_| None).is_none()));
        assert_eq!(Effects::what(here, ThreadId(1), u64::MAX), None);
    }
}
