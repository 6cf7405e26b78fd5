//! What goes from thread to thread in an interleaving, and which locks are held
//! from where to where.

use std::collections::BTreeMap;

use machine::ThreadId;
use serde::Serialize;

use crate::effect::Effect;
use crate::interleaving::{Interleaving, Role};

/// Something goes from one line to another, of another thread.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Flow {
    /// The line where it comes from.
    pub from: usize,
    /// The line where it arrives.
    pub to: usize,
    /// What it is.
    pub kind: Kind,
    /// The value, in words.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub label: String,
}

/// What goes from thread to thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A value that one wrote and the other reads.
    Value,
    /// The two accesses of a race, between which nothing goes.
    Race,
    /// The start of a thread.
    Start,
    /// The end of a thread.
    Join,
    /// A signal, a post, an arrival.
    Signal,
    /// A lock.
    Lock,
}

/// A lock that a thread holds for a while.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Hold {
    /// The thread's lane.
    pub thread: usize,
    /// The lock.
    pub place: usize,
    /// The line that takes it.
    pub from: usize,
    /// The line that gives it back, if one does.
    pub to: Option<usize>,
    /// How many locks the thread held before.
    pub depth: usize,
}

/// All that goes from thread to thread, in the order of arrival.
pub fn flows(interleaving: &Interleaving) -> Vec<Flow> {
    let mut sources = Sources::default();
    let mut flows = Vec::new();
    for (index, line) in interleaving.lines.iter().enumerate() {
        for effect in line.effects() {
            let flow = sources.arrives(index, line.thread, effect, interleaving);
            flows.extend(flow.filter(|flow| !is_drawn(flow, &flows)));
            sources.leaves(index, line.thread, effect);
        }
    }
    flows.extend(race(interleaving));
    flows
}

/// Whether something goes between the same lines already: a line may stand for several.
fn is_drawn(flow: &Flow, flows: &[Flow]) -> bool {
    let mut here = flows.iter().rev().take_while(|other| other.to == flow.to);
    here.any(|other| (other.from, other.kind) == (flow.from, flow.kind))
}

/// The accesses of a race are the lines that are marked; a deadlock has no line
/// that is the fault itself.
fn race(interleaving: &Interleaving) -> Option<Flow> {
    let marked = |role| interleaving.lines.iter().rposition(|line| line.role == role);
    let (from, to) = (marked(Role::Part)?, marked(Role::Fault)?);
    Some(Flow { from, to, kind: Kind::Race, label: String::new() })
}

/// The lines where what others may get was last left, each with its thread.
#[derive(Default)]
struct Sources {
    written: BTreeMap<usize, (usize, ThreadId)>,
    given: BTreeMap<usize, (usize, ThreadId)>,
    signalled: BTreeMap<usize, (usize, ThreadId)>,
    waiting: BTreeMap<ThreadId, usize>,
    created: BTreeMap<ThreadId, usize>,
    ended: BTreeMap<ThreadId, usize>,
}

impl Sources {
    fn arrives(&self, to: usize, by: ThreadId, effect: &Effect, told: &Interleaving) -> Option<Flow> {
        let other = |known: Option<&(usize, ThreadId)>| {
            known.filter(|(_, thread)| *thread != by).map(|(from, _)| *from)
        };
        let (from, kind) = match effect {
            Effect::Read { place, .. } | Effect::Write { place, reads: true, .. } => {
                (other(self.written.get(place)), Kind::Value)
            }
            Effect::Take { place, .. } => (other(self.given.get(place)), Kind::Lock),
            Effect::Wake { place, .. } | Effect::Pass { place } => {
                let since = self.waiting.get(&by).copied();
                let signal = other(self.signalled.get(place));
                (signal.filter(|from| since.is_none_or(|since| *from > since)), Kind::Signal)
            }
            Effect::Start => (self.created.get(&by).copied(), Kind::Start),
            Effect::Join { peer } => (self.ended.get(peer).copied(), Kind::Join),
            _ => (None, Kind::Value),
        };
        from.map(|from| Flow { from, to, kind, label: label(effect, told) })
    }

    fn leaves(&mut self, index: usize, by: ThreadId, effect: &Effect) {
        let here = (index, by);
        match *effect {
            Effect::Write { place, .. } => _ = self.written.insert(place, here),
            Effect::Give { place } | Effect::Wait { mutex: Some(place), .. } => {
                self.given.insert(place, here);
                self.waiting.insert(by, index);
            }
            Effect::Signal { place } => _ = self.signalled.insert(place, here),
            Effect::Create { peer } => _ = self.created.insert(peer, index),
            Effect::End => _ = self.ended.insert(by, index),
            _ => {}
        }
    }
}

fn label(effect: &Effect, interleaving: &Interleaving) -> String {
    match effect {
        Effect::Read { place, value } => format!("{} = {value}", interleaving.places[*place]),
        Effect::Write { place, old, .. } => format!("{} = {old}", interleaving.places[*place]),
        _ => String::new(),
    }
}

/// The locks that threads hold, from where to where.
pub fn holds(interleaving: &Interleaving) -> Vec<Hold> {
    let mut holds: Vec<Hold> = Vec::new();
    for (index, line) in interleaving.lines.iter().enumerate() {
        let Some(thread) = interleaving.threads.iter().position(|lane| lane.thread == line.thread) else {
            continue;
        };
        let mut open = holds.iter_mut().filter(|hold| hold.thread == thread && hold.to.is_none());
        match line.effect {
            Effect::Take { place, .. } | Effect::Wake { mutex: Some(place), .. } => {
                let depth = open.count();
                holds.push(Hold { thread, place, from: index, to: None, depth });
            }
            Effect::Give { place } | Effect::Wait { mutex: Some(place), .. } => {
                if let Some(hold) = open.rfind(|hold| hold.place == place) {
                    hold.to = Some(index);
                }
            }
            _ => {}
        }
    }
    holds
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interleaving::{Lane, Line};
    use ir::Location;

    fn interleaving(lines: &[(u32, Effect)]) -> Interleaving {
        let line = |(thread, effect): &(u32, Effect)| Line {
            thread: ThreadId(*thread),
            at: Location { file: "a.c".into(), line: 1, column: 1, function: "f".into() },
            text: String::new(),
            times: 1,
            role: Role::Plain,
            cycle: false,
            switch: None,
            effect: effect.clone(),
            also: Vec::new(),
            locals: None,
            inside: None,
            internal: false,
            copies: None,
        };
        Interleaving {
            threads: [0, 1].map(|thread| Lane { thread: ThreadId(thread), function: "f".into() }).to_vec(),
            lines: lines.iter().map(line).collect(),
            places: vec!["x".into(), "m".into()],
            ..Interleaving::default()
        }
    }

    fn read(value: &str) -> Effect {
        Effect::Read { place: 0, value: value.into() }
    }

    fn write(old: &str, value: &str, reads: bool) -> Effect {
        Effect::Write { place: 0, old: old.into(), value: value.into(), reads }
    }

    #[test]
    fn values_go_to_threads_that_did_not_write_them() {
        let told = interleaving(&[
            (0, write("0", "1", false)),
            (0, read("1")),
            (1, write("1", "2", true)),
            (0, read("2")),
        ]);
        let found: Vec<(usize, usize, String)> =
            flows(&told).into_iter().map(|flow| (flow.from, flow.to, flow.label)).collect();
        assert_eq!(found, [(0, 2, "x = 1".to_owned()), (2, 3, "x = 2".to_owned())]);
    }

    #[test]
    fn a_line_may_stand_for_several() {
        let mut told = interleaving(&[(0, write("0", "1", false)), (1, read("1"))]);
        let more = Effect::Write { place: 1, old: "0".into(), value: "5".into(), reads: false };
        told.lines[0].also.push(more);
        let more = Effect::Read { place: 1, value: "5".into() };
        told.lines[1].also.extend([read("1"), more]);
        told.lines.push(Line { also: Vec::new(), ..told.lines[1].clone() });
        told.lines[2].effect = Effect::Read { place: 1, value: "5".into() };
        let found: Vec<(usize, usize)> = flows(&told).iter().map(|flow| (flow.from, flow.to)).collect();
        assert_eq!(found, [(0, 1), (0, 2)]);
    }

    #[test]
    fn a_wait_gives_its_mutex_back_meanwhile() {
        let (take, give) = (Effect::Take { place: 1, shares: false }, Effect::Give { place: 1 });
        let (wait, wake) =
            (Effect::Wait { place: 0, mutex: Some(1) }, Effect::Wake { place: 0, mutex: Some(1) });
        let signal = Effect::Signal { place: 0 };
        let told = interleaving(&[(0, take), (0, wait), (1, signal), (0, wake), (0, give)]);
        let found: Vec<_> = holds(&told).iter().map(|hold| (hold.from, hold.to)).collect();
        assert_eq!(found, [(0, Some(1)), (3, Some(4))]);
        let signals: Vec<_> = flows(&told).iter().map(|flow| (flow.from, flow.to, flow.kind)).collect();
        assert_eq!(signals, [(2, 3, Kind::Signal)]);
    }
}
