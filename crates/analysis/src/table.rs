//! The result for people: for each shared variable the threads that access it,
//! under which locks, and why its accesses do not race or which may.

use ir::{Instr, Location, Pc, Program};

use crate::flow::{Held, Lock};
use crate::interpret::Interpreter;
use crate::memory::{Kind, NodeIx, ThreadIx};
use crate::rules::{Places, Rule, Rules, Use};
use crate::shape::Shape;
use crate::value::{Meets, ObjIx, Off};

/// A shared variable, or a part of one that is accessed on its own.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    /// Its name.
    pub name: String,
    /// The accesses to it.
    pub accesses: Vec<RowAccess>,
    /// Why accesses to it do not race, each reason once, in words.
    pub reasons: Vec<String>,
    /// The accesses that may race.
    pub races: Vec<(Location, Location)>,
}

/// Accesses of one thread to a variable, in one way and under the same locks.
#[derive(Clone, PartialEq, Debug)]
pub struct RowAccess {
    /// The thread.
    pub thread: String,
    /// Whether it writes.
    pub write: bool,
    /// Whether it is atomic.
    pub atomic: bool,
    /// The locks that are certainly held, by name, a reader's with a remark.
    pub locks: Vec<String>,
    /// The places in the source where it does so.
    pub places: Vec<Location>,
}

/// Writes the table.
pub(crate) struct Writer<'a, 'p> {
    pub interpreter: &'a Interpreter<'p>,
    pub shape: &'a Shape,
    pub rules: &'a Rules<'a, 'p>,
}

impl Writer<'_, '_> {
    /// A row for each part of each shared variable that more than one thread
    /// accesses.
    pub fn rows(&self) -> Vec<Row> {
        let mut objects: Vec<ObjIx> =
            self.rules.uses.keys().copied().filter(|obj| self.rules.is_shared(*obj)).collect();
        objects.sort_unstable();
        let parts = objects.into_iter().flat_map(|obj| parts(&self.rules.uses[&obj]));
        parts.filter(|part| self.is_of_several(part)).map(|part| self.row(&part)).collect()
    }

    fn is_of_several(&self, part: &[&(Use, Places)]) -> bool {
        let first = part[0].0.thread;
        part.iter().any(|(each, _)| each.thread != first) || !self.shape.is_unique(first)
    }

    fn row(&self, part: &[&(Use, Places)]) -> Row {
        let mut rules = Vec::new();
        let mut races = Vec::new();
        for (index, (a, a_places)) in part.iter().enumerate() {
            for (b, b_places) in &part[index..] {
                match self.rules.separate(a, b) {
                    Some(rule) => rules.push(rule),
                    None => self.add_races(a_places, b_places, &mut races),
                }
            }
        }
        rules.sort_unstable();
        rules.dedup();
        let boring =
            |rule: &Rule| matches!(rule, Rule::Apart | Rule::OneThread | Rule::Reads) && rules.len() > 1;
        let reasons = rules.iter().filter(|rule| !boring(rule)).map(|rule| self.reason(*rule)).collect();
        races.sort_by_key(|(a, b)| (a.line, a.column, b.line, b.column));
        races.dedup();
        Row { name: self.name(part), accesses: self.accesses(part), reasons, races }
    }

    /// Adds all pairs of these places, each in the order of the source.
    fn add_races(&self, a: &Places, b: &Places, races: &mut Vec<(Location, Location)>) {
        let order = |at: &Location| (at.line, at.column);
        for (a, b) in a.iter().flat_map(|a| b.iter().map(move |b| (*a, *b))) {
            let (a, b) = (self.location(a), self.location(b));
            races.push(if order(&b) < order(&a) { (b, a) } else { (a, b) });
        }
    }

    fn accesses(&self, part: &[&(Use, Places)]) -> Vec<RowAccess> {
        let mut rows: Vec<RowAccess> = Vec::new();
        for (each, places) in part {
            let held = self.rules.held(each);
            let new = RowAccess {
                thread: self.thread(each.thread),
                write: each.write,
                atomic: each.atomic,
                locks: self.locks(held),
                places: Vec::new(),
            };
            let same = |row: &RowAccess| RowAccess { places: Vec::new(), ..row.clone() } == new;
            let at = rows.iter().position(same).unwrap_or_else(|| {
                rows.push(new.clone());
                rows.len() - 1
            });
            rows[at].places.extend(places.iter().map(|place| self.location(*place)));
        }
        for row in &mut rows {
            row.places.sort_by_key(|at| (at.line, at.column));
            row.places.dedup();
        }
        rows
    }

    fn reason(&self, rule: Rule) -> String {
        match rule {
            Rule::Apart => "accesses have no byte in common".to_owned(),
            Rule::Reads => "it is only read".to_owned(),
            Rule::Atomics => "accesses are atomic".to_owned(),
            Rule::OneThread => "one thread makes all accesses".to_owned(),
            Rule::Confined => "each thread has its own".to_owned(),
            Rule::Given => "each thread was given its own".to_owned(),
            Rule::Element => "each thread was given an element of its own".to_owned(),
            Rule::Ticket => "a counter hands out the index of each element once".to_owned(),
            Rule::Fresh => "one access comes before others can get at the object".to_owned(),
            Rule::Created => {
                "one thread is not created yet, or was joined, when the other accesses it".to_owned()
            }
            Rule::Joined => "one thread was joined when the other accesses it".to_owned(),
            Rule::Section => "both accesses lie in atomic sections".to_owned(),
            Rule::Lock(lock) => format!("both accesses hold `{}`", self.lock_name(&lock)),
            Rule::LockBeside => "both accesses hold the lock of the same object".to_owned(),
            Rule::LockOfIndex => "both accesses hold the lock with the same index".to_owned(),
        }
    }

    fn locks(&self, held: &Held) -> Vec<String> {
        let name = |(lock, exclusive): &(Lock, bool)| {
            let how = if *exclusive { "" } else { " (as a reader)" };
            let doubt = if self.rules.counts(lock) { "" } else { " (which may be made anew)" };
            format!("`{}`{how}{doubt}", self.lock_name(lock))
        };
        let section = held.in_section().then(|| "an atomic section".to_owned());
        held.locks.iter().map(name).chain(section).collect()
    }

    fn lock_name(&self, lock: &Lock) -> String {
        let (name, layout) = self.object(lock.obj);
        // The first member of a lock is no name for it.
        let path = layout.map(|id| path(self.interpreter.program, id, lock.off)).unwrap_or_default();
        name + path.split(".__").next().unwrap_or_default()
    }

    /// A thread by its first function and, if that is not the main one, by where
    /// it is created.
    fn thread(&self, thread: ThreadIx) -> String {
        let program = self.interpreter.program;
        let Some(creator) = self.interpreter.threads[thread as usize].creators.first() else {
            return "main thread".to_owned();
        };
        let function = program.function(self.interpreter.threads[thread as usize].func);
        let at = self.location(*creator);
        let many = if self.shape.is_unique(thread) { "" } else { ", perhaps many" };
        format!("thread {} (created at {at}{many})", program.name(function.name))
    }

    /// The place of an instruction, or of the call that led to it if it is in
    /// the run-time library.
    fn location(&self, (node, pc): (NodeIx, Pc)) -> Location {
        let program = self.interpreter.program;
        let (mut node, mut pc) = (node, pc);
        while program.function(self.interpreter.nodes[node as usize].func).library
            && let Some((caller, at)) = self.interpreter.nodes[node as usize].callers.first()
        {
            (node, pc) = (*caller, *at);
        }
        let func = self.interpreter.nodes[node as usize].func;
        let span = program.function(func).spans.get(pc as usize).copied().unwrap_or_default();
        program.location(func, span)
    }

    fn name(&self, part: &[&(Use, Places)]) -> String {
        let (name, layout) = self.object(part[0].0.obj);
        let off = part.iter().map(|(each, _)| each.off).reduce(Off::join).unwrap_or(Off::ANY);
        match (off.known(), layout) {
            (Some(at), Some(layout)) => name + &path(self.interpreter.program, layout, at),
            (Some(0), None) => name,
            (Some(at), None) => format!("{name} at offset {at}"),
            (None, _) => name,
        }
    }

    fn object(&self, obj: ObjIx) -> (String, Option<ir::LayoutId>) {
        let program = self.interpreter.program;
        let at = |node, pc| self.location((node, pc));
        match self.interpreter.memory.get(obj).kind {
            Kind::Global(id) | Kind::Local(id, _) => {
                let global = program.global(id);
                (program.name(global.name).to_owned(), global.layout)
            }
            Kind::Heap(node, pc) => (format!("heap object from {}", at(node, pc)), None),
            Kind::Frame(node, pc) => {
                let func = self.interpreter.nodes[node as usize].func;
                match program.function(func).code[pc as usize] {
                    Instr::Alloca { var: Some(var), .. } => (program.name(var.name).to_owned(), var.layout),
                    _ => (format!("stack object of {}", at(node, pc)), None),
                }
            }
            Kind::Arguments(node, pc) => (format!("arguments of the call at {}", at(node, pc)), None),
            Kind::Specific(_) | Kind::Function(_) | Kind::Handle(_) => ("something".to_owned(), None),
        }
    }
}

fn path(program: &Program, layout: ir::LayoutId, offset: i64) -> String {
    let name = |symbol| program.name(symbol).to_owned();
    u64::try_from(offset).map_or(String::new(), |offset| program.layouts.path(layout, offset, &name).0)
}

/// The accesses to an object, in groups that have no byte in common.
fn parts(uses: &[(Use, Places)]) -> Vec<Vec<&(Use, Places)>> {
    let mut parts: Vec<Vec<&(Use, Places)>> = Vec::new();
    for each in uses {
        let meets =
            |other: &&(Use, Places)| each.0.off.meets(each.0.len, other.0.off, other.0.len) != Meets::Never;
        let (mut together, apart): (Vec<_>, Vec<_>) =
            parts.into_iter().partition(|part| part.iter().any(&meets));
        let mut joined: Vec<_> = together.drain(..).flatten().collect();
        joined.push(each);
        parts = apart;
        parts.push(joined);
    }
    parts.sort_by_key(|part| part.iter().map(|(each, _)| each.off).min());
    parts
}
