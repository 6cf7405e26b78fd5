//! Which visits are one native instruction.
//!
//! Native code executes an instruction of the module in one piece, and so it
//! does a call of a function that the module has no body for. The machine may
//! need several instructions for either: all of them are one *instance*. It
//! stands at one point of the order:
//!
//! - where its operation on a synchronisation object happens, if it has one;
//! - where it begins, if it calls back into the program (`pthread_once`);
//! - where it ends otherwise.

use ir::{FuncId, Instr, Pc, Program, Site};
use machine::{Event, Phase, ThreadId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::plan::Wait;
use crate::visit::Visit;

/// One execution of a native instruction.
#[derive(Debug)]
pub struct Instance {
    /// Who.
    pub thread: ThreadId,
    /// The instruction; none for the end of `main`.
    pub at: Option<(FuncId, Pc)>,
    /// The visits that it begins and ends with.
    pub span: (usize, usize),
    /// The visit of its operation.
    operation: Option<usize>,
    /// Whether it calls back into the program.
    calls_back: bool,
    /// Whether a step of the trace begins in it.
    pub visible: bool,
    /// Whether it is complete, or done as far as it can be.
    pub done: bool,
    /// Whether and how it waits.
    pub wait: Wait,
    /// What its operation yields.
    pub result: i32,
    /// How many atomic sections begin (or, if negative, end) with it.
    pub sections: i32,
}

impl Instance {
    /// Its point in the order: the number of a visit.
    pub fn time(&self) -> usize {
        match (self.calls_back, self.operation) {
            (true, _) => self.span.0,
            (false, Some(operation)) => operation,
            (false, None) => self.span.1,
        }
    }
}

/// A call or instruction in progress.
struct Open {
    depth: usize,
    pc: Pc,
    instance: usize,
    /// Whether a function that native code has elsewhere is being executed.
    inner: bool,
}

/// Finds the instances of a sequence of visits.
pub struct Grouping<'p> {
    program: &'p Program,
    /// Per function, whether native code executes its instructions.
    native: Vec<bool>,
    open: FxHashMap<ThreadId, Vec<Open>>,
    /// The instances, in the order of their beginnings.
    pub found: Vec<Instance>,
    /// The values that were never initialised, and chosen by the trace.
    pub undefined: usize,
    /// How often the trace chooses where objects lie in memory.
    pub placed: usize,
}

impl<'p> Grouping<'p> {
    /// For a program of which native code has these functions.
    pub fn new(program: &'p Program, executed: &FxHashSet<String>) -> Grouping<'p> {
        let ids = (0..program.functions.len()).map(|id| FuncId(id as u32));
        let native = ids.map(|id| executed.contains(&program.site(id, 0).function)).collect();
        Grouping { program, native, open: FxHashMap::default(), found: Vec::new(), undefined: 0, placed: 0 }
    }

    /// The innermost call in which native code executes an instruction of its own.
    pub fn own(&self, frames: &[(FuncId, Pc)]) -> Option<usize> {
        frames.iter().rposition(|(function, _)| self.native[function.0 as usize])
    }

    /// The site of an instruction.
    pub fn site(&self, at: (FuncId, Pc)) -> Site {
        self.program.site(at.0, at.1)
    }

    fn instr(&self, at: (FuncId, Pc)) -> &'p Instr {
        instr(self.program, at)
    }

    /// Whether each execution of the instruction is visited, so that native
    /// code can be stopped at it.
    pub fn is_told(&self, at: (FuncId, Pc)) -> bool {
        let instr = self.instr(at);
        let entry = self.site(at).ordinal == 0 && !matches!(instr, Instr::AtomicBegin { .. });
        !entry && is_told(instr)
    }

    /// Adds the next visit that was executed.
    pub fn add(&mut self, time: usize, visit: &Visit) {
        let Some(&at) = visit.frames.last() else { return };
        if self.is_only_a_choice(visit, at) {
            return;
        }
        let Some(depth) = self.own(&visit.frames) else { return self.add_exit(time, visit, at) };
        let (own, inner) = (visit.frames[depth], depth + 1 < visit.frames.len());
        if !inner && !self.is_told(own) {
            return;
        }
        let ends_wait =
            visit.events.iter().any(|e| matches!(e, Event::Sync { phase: Phase::End { .. }, .. }));
        let instance = match self.continued(visit.thread, depth, own, inner) {
            Some(instance) if !ends_wait => instance,
            _ => self.begin(time, visit.thread, depth, own),
        };
        let open = self.open.get_mut(&visit.thread).and_then(|open| open.last_mut()).expect("just begun");
        (open.pc, open.inner) = (own.1, open.inner || inner);
        self.note(instance, time, visit);
    }

    /// A step that only chooses a value which was never initialised, or where objects lie.
    fn is_only_a_choice(&mut self, visit: &Visit, at: (FuncId, Pc)) -> bool {
        let chooses = visit.events.iter().any(|event| matches!(event, Event::Choice { .. }));
        let decides =
            visit.events.iter().any(|event| matches!(event, Event::Places { .. } | Event::Ordered { .. }));
        let is_input = matches!(self.instr(at), Instr::Nondet { .. });
        let is_undefined = chooses && !is_input;
        self.undefined += usize::from(is_undefined && !decides);
        self.placed += usize::from(decides);
        is_undefined || decides
    }

    fn add_exit(&mut self, time: usize, visit: &Visit, at: (FuncId, Pc)) {
        if matches!(self.instr(at), Instr::Exit { .. }) {
            self.found.push(fresh(time, visit.thread, None));
            let instance = self.found.len() - 1;
            self.note(instance, time, visit);
        }
    }

    /// The open instance that a visit belongs to. Those that are over are closed.
    fn continued(&mut self, thread: ThreadId, depth: usize, own: (FuncId, Pc), inner: bool) -> Option<usize> {
        let instr = self.instr(own);
        let found = &mut self.found;
        let open = self.open.entry(thread).or_default();
        while let Some(closed) = open.pop_if(|open| open.depth > depth) {
            found[closed.instance].done = true;
        }
        let last = open.last().filter(|last| last.depth == depth)?;
        let (site, before) = (self.program.site(own.0, own.1), found[last.instance].at?);
        // A copy takes several steps of the machine, and so does what is wider than a word.
        let copies = own.1 == last.pc && is_piecewise(instr);
        // A thread that ends cleans up before.
        let ends = matches!(instr, Instr::ThreadExit { .. });
        let goes_on = self.program.site(before.0, before.1) == site
            && if inner { own.1 == last.pc } else { copies || own.1 > last.pc && (!last.inner || ends) };
        if goes_on {
            return Some(last.instance);
        }
        found[last.instance].done = true;
        open.pop();
        None
    }

    fn begin(&mut self, time: usize, thread: ThreadId, depth: usize, own: (FuncId, Pc)) -> usize {
        let instance = self.found.len();
        self.found.push(fresh(time, thread, Some(own)));
        let open = self.open.entry(thread).or_default();
        for outer in open.iter().filter(|outer| outer.depth < depth) {
            self.found[outer.instance].calls_back = true;
        }
        // The second half of a wait.
        if let Some(first) = open.pop_if(|open| open.depth == depth) {
            self.found[first.instance].done = true;
        }
        open.push(Open { depth, pc: own.1, instance, inner: false });
        instance
    }

    fn note(&mut self, instance: usize, time: usize, visit: &Visit) {
        let found = &mut self.found[instance];
        found.span.1 = time;
        found.visible |= visit.first;
        for event in &visit.events {
            if let Event::AtomicSection { begin } = event {
                found.sections += if *begin { 1 } else { -1 };
            }
            let Event::Sync { result, phase, .. } = *event else { continue };
            found.operation = Some(time);
            found.done = true;
            found.result = result as i32;
            found.wait = match phase {
                Phase::Whole => Wait::Whole,
                Phase::Begin => Wait::Begins,
                Phase::End { .. } => Wait::Ends,
            };
        }
    }

    /// Closes what is over where threads stand at the end.
    pub fn finish(&mut self, stands: impl Fn(ThreadId) -> Vec<(FuncId, Pc)>) {
        for (thread, open) in &self.open {
            let frames = stands(*thread);
            for open in open {
                let found = &mut self.found[open.instance];
                let there = frames.get(open.depth).filter(|(_, pc)| *pc == open.pc);
                // A thread that has come back to where it was is done with it.
                let inside = frames.len() > open.depth + 1;
                let goes_on = |at: &(FuncId, Pc)| inside || is_piecewise(instr(self.program, *at));
                found.done |= !there.is_some_and(goes_on) || found.calls_back;
            }
        }
        self.found.iter_mut().filter(|found| found.at.is_none()).for_each(|found| found.done = true);
    }
}

fn instr(program: &Program, at: (FuncId, Pc)) -> &Instr {
    &program.function(at.0).code[at.1 as usize]
}

fn fresh(time: usize, thread: ThreadId, at: Option<(FuncId, Pc)>) -> Instance {
    Instance {
        thread,
        at,
        span: (time, time),
        operation: None,
        calls_back: false,
        visible: false,
        done: false,
        wait: Wait::Plain,
        result: 0,
        sections: 0,
    }
}

/// Whether the machine may execute it piece by piece.
fn is_piecewise(instr: &Instr) -> bool {
    match instr {
        Instr::MemCopy { .. } => true,
        Instr::Load { width, .. } | Instr::Store { width, .. } => *width > 64,
        _ => false,
    }
}

/// Whether an observer is told of each execution of such an instruction.
fn is_told(instr: &Instr) -> bool {
    matches!(
        instr,
        Instr::Load { .. }
            | Instr::Store { .. }
            | Instr::AtomicRmw { .. }
            | Instr::CompareExchange(_)
            | Instr::Fence { .. }
            | Instr::MemCopy { .. }
            | Instr::MemSet { .. }
            | Instr::Malloc { .. }
            | Instr::Free { .. }
            | Instr::ObjectSize { .. }
            | Instr::VaStart { .. }
            | Instr::ScopeBegin { .. }
            | Instr::ScopeEnd { .. }
            | Instr::Sync { .. }
            | Instr::Call { .. }
            | Instr::Return { .. }
            | Instr::ThreadExit { .. }
            | Instr::Exit { .. }
            | Instr::AtomicBegin { .. }
            | Instr::AtomicEnd { .. }
            | Instr::Fail { .. }
            | Instr::Nondet { .. }
    )
}
