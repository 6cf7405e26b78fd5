//! Programs that are held to a schedule.

use std::path::{Path, PathBuf};

use frontend::{Hook, Instrumentation, Linked, Options};
use ir::Site;
use schedule::{Arguments, Next, Schedule, Until};

use crate::Error;
use crate::build::{Job, build, embedded, write};
use crate::notice::{Chains, after};
use crate::words::Words;

/// What a program does that comes to something which its schedule does not know.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(u32)]
pub enum OnDeparture {
    /// Says so and aborts.
    #[default]
    Abort = 0,
    /// Says so and goes on without the schedule.
    Warn = 1,
    /// Goes on without the schedule; only statistics tell.
    Free = 2,
}

/// All threads have to sleep for so many seconds before they wait for ever.
const PATIENCE: u32 = 10;

/// The size of the header of the tables (see `enforce.h`), in words.
const HEADER: usize = 13;

/// The size of an event in them.
const WORDS_OF_EVENT: u32 = 9;

const NONE: u32 = u32::MAX;

/// The fingerprint of a program: the same module has the same, wherever
/// comments stand.
pub fn fingerprint(linked: &Linked) -> Result<String, Error> {
    Ok(trace::content_hash(frontend::fingerprint(&linked.native)?.as_bytes()))
}

/// Builds a program that is held to a schedule.
pub fn enforce(
    linked: &Linked,
    inputs: &[PathBuf],
    options: &Options,
    schedule: &Schedule,
    on_departure: OnDeparture,
    output: &Path,
) -> Result<(), Error> {
    if fingerprint(linked)? != schedule.program {
        return Err(Error::OtherProgram);
    }
    let temporary = |source| Error::File { path: std::env::temp_dir(), source };
    let directory = tempfile::Builder::new().prefix("threadproof-").tempdir().map_err(temporary)?;
    let module = instrument(linked, options, schedule)?;
    let (at, names_at) = (directory.path().join("plan.bin"), directory.path().join("names.bin"));
    write(&at, &tables(schedule, on_departure))?;
    let names = schedule.sites.iter().map(|place| format!("{} ({})\0", place.at, place.at.function));
    let given = given(schedule).iter().map(|word| format!("{word}\0"));
    write(&names_at, names.chain(given).collect::<String>().as_bytes())?;
    let text = embedded("tp_plan", &at) + &embedded("tp_plan_names", &names_at);
    let job = Job {
        module: &module,
        unit: runtime::ENFORCE,
        files: &[("plan.c", text.into_bytes())],
        inputs,
        flags: &options.flags,
        data_model: options.data_model,
        optimise: true,
        sanitize: false,
    };
    build(&job, directory.path(), output)
}

/// Calls before and after each site; one call that stands for both where
/// nothing can be called after.
fn instrument(linked: &Linked, options: &Options, schedule: &Schedule) -> Result<Vec<u8>, Error> {
    let hook = |id: usize, after: bool, callee: &'static str| Hook {
        site: schedule.sites[id].site.clone(),
        after,
        callee,
        id: id as u32,
    };
    let sites = 0..schedule.sites.len();
    let hooks = sites.flat_map(|id| {
        let [begins, ends] = callees(&schedule.sites[id].site);
        let before = schedule.begins(id as u32).then(|| hook(id, false, begins));
        before.into_iter().chain(schedule.ends(id as u32).then(|| hook(id, true, ends)))
    });
    let mut wanted = Instrumentation {
        hooks: hooks.collect(),
        omitted: schedule.omitted.iter().map(|place| place.site.clone()).collect(),
        main: runtime::MAIN,
        input: runtime::INPUT,
        keeps_harmless: true,
        replaced: (runtime::CHECKED, runtime::CHECKED_FUNCTIONS),
        ..Instrumentation::default()
    };
    let first = frontend::instrument(&linked.native, options, &wanted)?;
    if first.missed.is_empty() {
        return Ok(first.module);
    }
    if let Some(hook) = first.shared.first() {
        return Err(Error::NoEnd(hook.site.clone()));
    }
    let last: Vec<u32> = first.missed.iter().filter(|hook| hook.after).map(|hook| hook.id).collect();
    wanted.hooks.retain(|hook| !(hook.after && last.contains(&hook.id)));
    // A function that never returns is an event up to the end of its thread.
    let is_single = |id: &u32| schedule.sites[*id as usize].site.ordinal != 0;
    let last: Vec<u32> = last.into_iter().filter(is_single).collect();
    wanted.hooks.retain(|hook| !last.contains(&hook.id));
    let callee = |id: u32| if schedule.begins(id) { runtime::PASS } else { runtime::OVER };
    wanted.hooks.extend(last.iter().map(|id| hook(*id as usize, false, callee(*id))));
    let second = frontend::instrument(&linked.native, options, &wanted)?;
    match second.missed.first() {
        None => Ok(second.module),
        Some(hook) => Err(Error::NoSite(hook.site.clone())),
    }
}

/// What is called before and after an event that begins at a site. One that begins where a function
/// does is the whole function, an atomic section.
fn callees(site: &Site) -> [&'static str; 2] {
    match site.ordinal {
        0 => [runtime::ENTER, runtime::LEAVE],
        _ => [runtime::BEFORE, runtime::AFTER],
    }
}

/// The tables of the runtime, as words.
fn tables(schedule: &Schedule, on_departure: OnDeparture) -> Vec<u8> {
    let mut tables = Tables { threads: schedule.threads(), ..Tables::default() };
    let chains: Vec<Chains> = schedule.sections.iter().map(Chains::new).collect();
    for (section, own) in schedule.sections.iter().zip(&chains) {
        tables.section(section, own, after(section, &chains));
    }
    let mut words = Words::default();
    words.push(&[tables.threads, schedule.start, on_departure as u32, PATIENCE]);
    let parts = [&tables.sections, &tables.lanes, &tables.events, &tables.needs, &tables.choices];
    let mut at = HEADER;
    for part in parts {
        words.push(&[at as u32]);
        at += part.len();
    }
    words.push(&arguments(schedule));
    words.push(&[schedule.may_fail.iter().map(|failure| *failure as u32).sum()]);
    parts.into_iter().for_each(|part| words.push(part));
    words.0
}

/// The words that the program must be given, if they are known.
fn given(schedule: &Schedule) -> &[String] {
    match &schedule.arguments {
        Some(Arguments::Given(words)) => words,
        _ => &[],
    }
}

/// What the header says of arguments: whether they are restricted, how many there can be, and how
/// long they are or, if they are known, where they stand among the names.
fn arguments(schedule: &Schedule) -> [u32; 3] {
    match &schedule.arguments {
        None => [0, 0, 0],
        Some(Arguments::Given(words)) => [1, words.len() as u32, schedule.sites.len() as u32],
        Some(Arguments::Most { count, length }) => [2, *count, *length],
    }
}

#[derive(Default)]
struct Tables {
    threads: u32,
    sections: Vec<u32>,
    lanes: Vec<u32>,
    events: Vec<u32>,
    needs: Vec<u32>,
    choices: Vec<u32>,
}

impl Tables {
    fn section(&mut self, section: &schedule::Section, own: &Chains, next: Option<&Chains>) {
        let (kind, goes_to) = match &section.next {
            Next::End => (0, 0),
            Next::Exit => (3, 0),
            Next::Section(next) => (1, *next),
            Next::Branch { thread, .. } => (2, *thread),
            Next::Race { .. } => (4, 0),
        };
        let choices: Vec<[u32; 3]> = match &section.next {
            Next::Branch { thread, choices } => {
                choices.iter().map(|way| [*thread, way.comes_to.unwrap_or(NONE), way.section]).collect()
            }
            Next::Race { choices } => {
                choices.iter().map(|claim| [claim.thread, claim.comes_to, claim.section]).collect()
            }
            Next::End | Next::Exit | Next::Section(_) => Vec::new(),
        };
        self.sections.extend([kind, goes_to, self.choices.len() as u32 / 3, choices.len() as u32]);
        self.choices.extend(choices.into_iter().flatten());
        let all = section.lanes.iter().map(|lane| (lane.thread, lane.events.len() as u32));
        let complete = self.needs(all.filter(|(_, events)| *events > 0));
        self.sections.extend(complete);
        for thread in 0..self.threads {
            self.lane(thread, section.events(thread), own);
            self.lanes.extend(own.of_lane(thread, next));
        }
    }

    fn lane(&mut self, thread: u32, events: &[schedule::Event], own: &Chains) {
        self.lanes.extend([self.events.len() as u32 / WORDS_OF_EVENT, events.len() as u32]);
        for (event, index) in events.iter().zip(0..) {
            let needs = self.needs(event.after.iter().map(|need| (need.thread, need.events)));
            self.events.extend([event.site, event.kind as u32, needs[0], needs[1]]);
            let until = event.until.unwrap_or(Until { site: NONE, times: 0, passes: 0 });
            self.events.extend([until.site, until.times, until.passes]);
            self.events.extend(own.of_event((thread, index)));
        }
    }

    /// Adds the entries of a clock, and says where they are.
    fn needs(&mut self, needs: impl Iterator<Item = (u32, u32)>) -> [u32; 2] {
        let first = self.needs.len() as u32 / 2;
        needs.for_each(|(thread, events)| self.needs.extend([thread, events]));
        [first, self.needs.len() as u32 / 2 - first]
    }
}
