//! `threadproof schedule`.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use ::schedule::{FORMAT, Native, Next, Place, Schedule, Section, SiteId};
use anyhow::Context;
use certify::{Certificate, Proof, ScheduleCertificate};
use clap::Parser;
use engine::{Assumption, Bounds, Budget, Engine, Outcome, Progress, Task, Verdict};
use frontend::Linked;
use impact::schedule::{Coarse, Found, Freedom, Manner, NotFound, Strategy, Synthesis};
use impact::{Impact, Keeper, Options};
use ir::Location;
use machine::{Config, Fault, Machine, Properties, Property};
use report::Report;
use trace::Trace;

use crate::args::{self, Args, Command, Format, ScheduleArgs, Until};
use crate::exit::{Exit, Failure, Output};
use crate::fall_through::Asking;
use crate::load::load_linked;
use crate::save::{options, replay_command, saved_trace, write_to_cache};
use crate::session::Session;
use crate::{files, schedule_dot};

/// Looks for schedules and writes them.
pub fn schedule(args: &ScheduleArgs, session: &Session) -> Result<Output, Failure> {
    let output = args.output.clone().unwrap_or_else(|| default_output(&args.input.files));
    files::is_writable(&output).map_err(Failure::Input)?;
    let linked = load_linked(&args.input)?;
    let program = Arc::new(linked.program.clone());
    let config = Config { properties: properties(&args.property), ..Config::default() };
    let machine = Machine::new(program, config);
    let progress = session.board.enter(impact::NAME);
    let search = Search { args, session, linked: &linked, machine: &machine, output, progress: &progress };
    let told = search.run();
    session.board.leave(&progress);
    told
}

/// What a proof of this kind shows, of what is asked for. Accesses that race are events, and those
/// are ordered by the schedule itself.
fn properties(names: &[String]) -> Properties {
    let shown = Impact::default().decides();
    let is_shown = |property: &Property| *property != Property::Race && shown.has(*property);
    args::properties(names).iter().filter(is_shown).collect()
}

/// What is shown where no property is named.
pub fn default_properties() -> Properties {
    properties(&[])
}

/// The file that a schedule is written to if none is named.
pub fn default_output(files: &[PathBuf]) -> PathBuf {
    let name = files.first().and_then(|file| file.file_stem()).unwrap_or_default();
    PathBuf::from(format!("{}.schedule.json", name.to_string_lossy()))
}

/// The file beside a schedule that has its proof.
pub fn proof_of(schedule: &Path) -> PathBuf {
    schedule.with_extension("proof.json")
}

/// What is known in the end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum End {
    Safe,
    PartiallySafe,
    Unsafe,
    /// There is a schedule; whether all executions are safe is not known.
    Open,
    /// There is a schedule. All executions are safe, but there is no proof of that to write.
    Unproven,
    /// Nothing is known.
    Unknown,
}

impl End {
    fn name(self) -> &'static str {
        match self {
            End::Safe => "safe",
            End::PartiallySafe => "partially safe",
            End::Unsafe => "unsafe",
            End::Open | End::Unproven | End::Unknown => "unknown",
        }
    }

    fn exit(self) -> Exit {
        match self {
            End::Safe | End::PartiallySafe | End::Open | End::Unproven => Exit::Safe,
            End::Unsafe => Exit::Unsafe,
            End::Unknown => Exit::Unknown,
        }
    }
}

/// What a strategy is called.
fn name(strategy: &Strategy) -> &'static str {
    match strategy {
        Strategy::RoundRobin => "round-robin",
        Strategy::LockOwner => "lock-owner",
        Strategy::Priorities(_) => "priorities",
    }
}

/// How long a search for a schedule that permits more, or for faults, may take without a limit.
const A_WHILE: Duration = Duration::from_secs(60);

/// How many rounds more than one a turn may have.
const MORE_ROUNDS: u32 = 31;

/// How many turns two threads may have with each other before others have theirs.
const EXCHANGES: u32 = 40;

struct Search<'a> {
    args: &'a ScheduleArgs,
    session: &'a Session,
    linked: &'a Linked,
    machine: &'a Machine,
    output: PathBuf,
    progress: &'a Progress,
}

/// What is told in the end.
struct Told {
    end: End,
    /// Why there is no more to say.
    why: Option<String>,
    /// When the first schedule was written, in seconds, and whose turn it is in it.
    first: Option<f64>,
    strategy: Option<Strategy>,
    schedule: Option<Schedule>,
    /// How many schedules were written.
    schedules: u32,
    fault: Option<(Fault, Trace)>,
}

impl Search<'_> {
    fn run(&self) -> Result<Output, Failure> {
        let task = self.task(&self.session.budget);
        let native = Native::new(self.machine.program(), &self.linked.executed);
        let (strategy, Synthesis { found, faults, .. }) = self.first(&native);
        let mut told = Told {
            end: End::Open,
            why: None,
            first: None,
            strategy: None,
            schedule: None,
            schedules: 0,
            fault: None,
        };
        told.fault = faults.into_iter().next();
        match found {
            Ok(found) => {
                let schedule = self.put(&found)?;
                told.strategy = Some(strategy.clone());
                told.first = Some(self.session.budget.elapsed().as_secs_f64());
                (told.schedule, told.schedules) = (Some(schedule), 1);
                if told.fault.is_some() {
                    told.end = End::PartiallySafe;
                }
            }
            Err(NotFound::Impossible(obstacle)) => {
                (told.end, told.why) = (End::Unsafe, obstacle.map(|at| hindered(&at)));
            }
            Err(NotFound::Exceeded(exceeded)) => {
                (told.end, told.why) = (End::Unknown, Some(exceeded.to_string()));
            }
            Err(NotFound::Unknown(why)) => (told.end, told.why) = (End::Unknown, Some(why)),
        }
        let more = self.args.until != Until::Schedules(1) && told.schedule.is_some();
        if more {
            self.relax(&native, strategy, &mut told)?;
        }
        let open = told.end == End::Open || told.end == End::Unknown && told.fault.is_none();
        let enough = matches!(self.args.until, Until::Schedules(1 | 2));
        if !enough && open {
            self.complete(&task, &mut told)?;
        }
        self.tell(told)
    }

    /// The strategies to try, one after the other.
    fn strategies(&self) -> Vec<Strategy> {
        match &self.args.strategy {
            Some(named) => vec![named.clone()],
            None => vec![Strategy::RoundRobin, Strategy::LockOwner],
        }
    }

    /// The manners to try. Long turns mean fewer changes from one thread to another; where they are
    /// no good, short ones are tried.
    fn manners(&self) -> Vec<Manner> {
        let long = |manner: Manner| Manner { more_rounds: MORE_ROUNDS, exchanges: EXCHANGES, ..manner };
        let of_strategy = |strategy: Strategy| {
            let short = Manner { strategy, ..Manner::default() };
            let first = (self.args.opt >= 2).then(|| long(short.clone()));
            first.into_iter().chain([short])
        };
        self.strategies().into_iter().flat_map(of_strategy).collect()
    }

    /// Looks for a schedule in which turns have a fixed order. If time is limited, each attempt but
    /// the last may take half of what is left.
    fn first(&self, native: &Native) -> (Strategy, Synthesis) {
        let (manners, mut faults, mut reasons) = (self.manners(), Vec::new(), Vec::new());
        for (manner, left) in manners.iter().zip((0..manners.len()).rev()) {
            let is_limited = manner.more_rounds > 0 || self.session.budget.remaining().is_some();
            let budget = match left {
                1.. if is_limited => self.budget(2),
                _ => self.session.budget.clone(),
            };
            let mut synthesis = impact::schedule::synthesise(&self.task(&budget), native, manner);
            faults.append(&mut synthesis.faults);
            let over = left == 0 || self.session.budget.exceeded().is_some();
            match &synthesis.found {
                Ok(_) | Err(NotFound::Impossible(_)) => {}
                Err(why) if !over => {
                    reasons.push(why.clone());
                    continue;
                }
                Err(why) => {
                    let first = reasons.into_iter().find(|why| matches!(why, NotFound::Unknown(_)));
                    synthesis.found = Err(first.unwrap_or(why.clone()));
                }
            }
            return (manner.strategy.clone(), Synthesis { faults, ..synthesis });
        }
        unreachable!("there is a strategy to try")
    }

    /// The program, with so much to spend on it.
    fn task<'b>(&'b self, budget: &'b Budget) -> Task<'b> {
        Task { machine: self.machine, budget, bounds: Bounds::default(), progress: self.progress }
    }

    /// Looks for a schedule that permits more: threads take one turn each in a round, in any
    /// order that is safe.
    fn relax(&self, native: &Native, strategy: Strategy, told: &mut Told) -> Result<(), Failure> {
        let budget = self.budget(2);
        let task = self.task(&budget);
        let manner = Manner { freedom: Freedom::Rounds, strategy, ..Manner::default() };
        let Synthesis { found, faults, .. } = impact::schedule::synthesise(&task, native, &manner);
        if told.fault.is_none() {
            told.fault = faults.into_iter().next();
        }
        if let Ok(found) = found
            && found.sections.iter().any(|section| matches!(section.next, Next::Race { .. }))
        {
            told.schedule = Some(self.put(&found)?);
            told.schedules += 1;
        }
        if told.fault.is_some() {
            told.end = End::PartiallySafe;
        }
        Ok(())
    }

    /// Checks whether all executions are safe, and natively, too.
    fn complete(&self, task: &Task<'_>, told: &mut Told) -> Result<(), Failure> {
        let free = certify::needs_no_schedule(self.machine.program());
        let keeper = Keeper::default();
        let options = Options { keeper: Some(keeper.clone()), ..Options::default() };
        let Outcome { verdict, .. } = Impact { options }.check(task);
        match (verdict, keeper.take()) {
            (Verdict::Holds { .. }, _) if free.is_err() => {
                told.why = told.why.take().or(free.err().map(str::to_owned));
            }
            (Verdict::Holds { .. }, Some(proof)) => {
                let sections = vec![Section { lanes: Vec::new(), next: Next::Exit }];
                let schedule = self.schedule(&[], sections)?;
                self.write(&schedule, None, &proof)?;
                told.first = told.first.or(Some(self.session.budget.elapsed().as_secs_f64()));
                (told.end, told.why, told.schedule) = (End::Safe, None, Some(schedule));
                told.schedules += 1;
            }
            (Verdict::Violated { fault, trace }, _) => {
                told.fault = Some((*fault, trace));
                if told.schedule.is_some() {
                    told.end = End::PartiallySafe;
                }
            }
            (Verdict::Unknown { reason, .. }, _) => {
                told.why.get_or_insert(reason.to_string());
                self.ask_others(told);
            }
            _ => {}
        }
        Ok(())
    }

    /// Looks for a fault with all engines. None of them but `impact` has a proof to write.
    fn ask_others(&self, told: &mut Told) {
        let words = ["threadproof", "check", "PROGRAM"];
        let Ok(Args { command: Command::Check(mut args) }) = Args::try_parse_from(words) else { return };
        args.input = self.args.input.clone();
        let program = Arc::new(self.machine.program().clone());
        let budget = self.budget(1);
        let mut asking = Asking {
            args: &args,
            program: &program,
            config: self.machine.config().clone(),
            budget: &budget,
            board: &self.session.board,
            log: &self.session.log,
            attempts: &Mutex::default(),
            failures: Vec::new(),
            needs_clocks: OnceLock::new(),
        };
        match asking.ask().outcome.verdict {
            Verdict::Violated { fault, trace } => {
                told.fault = Some((*fault, trace));
                if told.schedule.is_some() {
                    (told.end, told.why) = (End::PartiallySafe, None);
                }
            }
            Verdict::Holds { .. } => {
                told.why = Some("the engine that has shown it has no proof to write".to_owned());
                if told.schedule.is_some() {
                    told.end = End::Unproven;
                }
            }
            Verdict::Unknown { .. } => {}
        }
    }

    /// A part of the time that is left, and not more than a minute if there is no limit.
    fn budget(&self, part: u32) -> Budget {
        let left = self.session.budget.remaining().map_or(A_WHILE, |left| left / part);
        let cancelled = Arc::clone(&self.session.cancelled);
        Budget::unlimited().with_cancel(cancelled).with_timeout(Some(left))
    }

    /// Writes a schedule that was found, in the form that is asked for.
    fn put(&self, found: &Found) -> Result<Schedule, Failure> {
        let fine = self.schedule(&found.sites, found.sections.clone())?;
        match found.coarse.as_ref().filter(|_| self.args.opt > 0) {
            None => {
                self.write(&fine, None, &found.proof)?;
                Ok(fine)
            }
            Some(Coarse { sites, sections, omitted }) => {
                let mut schedule = self.schedule(sites, sections.clone())?;
                schedule.omitted = self.places(omitted);
                self.write(&schedule, Some(fine), &found.proof)?;
                Ok(schedule)
            }
        }
    }

    fn places(&self, sites: &[SiteId]) -> Vec<Place> {
        let program = self.machine.program();
        let place = |site: &SiteId| {
            let site = site.site(program);
            let at = program.position_of(&site);
            Place { at: at.unwrap_or_else(|| self.machine.location(ir::FuncId(0), 0)), site }
        };
        sites.iter().map(place).collect()
    }

    fn schedule(&self, sites: &[SiteId], sections: Vec<Section>) -> Result<Schedule, Failure> {
        let sites = self.places(sites);
        let program = native::fingerprint(self.linked)?;
        let tool = env!("CARGO_PKG_VERSION").to_owned();
        let options = options(&self.args.input, self.machine.config());
        let arguments = certify::arguments(self.machine.program(), &options);
        let (omitted, may_fail) = (Vec::new(), certify::may_fail(&options));
        Ok(Schedule {
            format: FORMAT,
            tool,
            program,
            sites,
            omitted,
            arguments,
            may_fail,
            start: 0,
            sections,
        })
    }

    /// Writes a schedule and its proof, in place of earlier ones.
    fn write(&self, schedule: &Schedule, finer: Option<Schedule>, proof: &Proof) -> Result<(), Failure> {
        let options = options(&self.args.input, self.machine.config());
        let certificate =
            Certificate::new(env!("CARGO_PKG_VERSION"), self.machine.program(), options, proof.clone());
        let certificate = ScheduleCertificate::new(schedule, finer, certificate);
        let put = |path: &Path, text: String| {
            std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
        };
        put(&proof_of(&self.output), certificate.to_json()).map_err(Failure::Input)?;
        put(&self.output, schedule.to_json()).map_err(Failure::Input)?;
        if let Some(path) = &self.args.dot {
            put(path, schedule_dot::dot(schedule)).map_err(Failure::Input)?;
        }
        Ok(())
    }

    fn tell(&self, told: Told) -> Result<Output, Failure> {
        let counterexample = told.fault.as_ref().map(|(fault, trace)| self.counterexample(fault, trace));
        let counterexample = counterexample.transpose()?;
        let text = match self.args.format {
            Format::Json => self.json(&told, counterexample.as_deref()),
            _ => self.text(&told, counterexample.as_deref()),
        };
        Ok(Output::new(text, told.end.exit()))
    }

    /// The report of an execution that goes wrong, as `check` has it.
    fn counterexample(&self, fault: &Fault, trace: &Trace) -> Result<String, Failure> {
        let (mut fault, mut trace) = (fault.clone(), trace.clone());
        crate::simplify(self.machine, &mut fault, &mut trace);
        let recorded = report::record(self.machine, &trace, &fault);
        let (interleaving, replayed) = recorded.map_err(|diverged| {
            Failure::Internal(anyhow::anyhow!("an execution with a fault does not replay: {diverged}"))
        })?;
        let saved = saved_trace(&self.args.input, self.machine, impact::NAME, &replayed.fault, &trace);
        let command = write_to_cache(&saved).ok().map(|path| replay_command(&path));
        let verdict = Verdict::Violated { fault: Box::new(replayed.fault), trace };
        let outcome =
            Outcome { verdict, stats: Default::default(), warnings: Vec::new(), assumptions: Vec::new() };
        let rendered = self.session.render(&Report {
            engine: impact::NAME,
            attempts: &self.session.attempts(),
            properties: self.machine.config().properties,
            outcome: &outcome,
            interleaving: Some(&interleaving),
            replay: command.as_deref(),
            moved: &[],
            coverage: None,
            further: &[],
            rest: None,
            repair: None,
            hints: &[],
        });
        Ok(rendered.text)
    }

    fn text(&self, told: &Told, counterexample: Option<&str>) -> String {
        let mut text = counterexample.map(|report| format!("{report}\n")).unwrap_or_default();
        let names: Vec<&str> = self.machine.config().properties.iter().map(Property::name).collect();
        text += &match told.end {
            End::Safe => {
                "safe: no execution violates the properties, and the schedule permits all\n".to_owned()
            }
            End::PartiallySafe => {
                "partially safe: some executions go wrong; the schedule does not permit them\n".to_owned()
            }
            End::Unsafe => "unsafe: no schedule avoids the fault\n".to_owned(),
            End::Open => {
                "a safe schedule was found; whether all executions are safe is not known\n".to_owned()
            }
            End::Unproven => {
                "a safe schedule was found; all executions are safe, but the schedule does not permit all\n"
                    .to_owned()
            }
            End::Unknown => "unknown: no safe schedule was found\n".to_owned(),
        };
        if let Some(why) = &told.why {
            text += &format!("  because: {why}\n");
        }
        if let Some(schedule) = &told.schedule {
            let Count { sites, sections, events } = Count::of(schedule);
            text += &format!(
                "schedule: {} ({sites} sites, {sections} sections, {events} events)\nproof:    {}\n",
                self.output.display(),
                proof_of(&self.output).display()
            );
            let fairly = if sites > 0 { ", and that some thread can always move, and fairly" } else { "" };
            text += &format!("shown:    {}{fairly}\n", names.join(", "));
            text += &assuming(&assumptions(self.machine));
        }
        if let Some(first) = told.first {
            let by = told.strategy.as_ref().map(|by| format!(" (strategy {})", name(by))).unwrap_or_default();
            text += &format!("first schedule after {first:.2} s{by}, {} in all\n", told.schedules);
        }
        text
    }

    fn json(&self, told: &Told, counterexample: Option<&str>) -> String {
        let count = told.schedule.as_ref().map(Count::of);
        let schedule = count.map(|Count { sites, sections, events }| {
            serde_json::json!({
                "file": self.output.display().to_string(),
                "proof": proof_of(&self.output).display().to_string(),
                "sites": sites, "sections": sections, "events": events,
            })
        });
        let counterexample = counterexample.and_then(|text| serde_json::from_str(text).ok());
        let counterexample: Option<serde_json::Value> = counterexample;
        let told = serde_json::json!({
            "verdict": told.end.name(),
            "reason": told.why,
            "schedule": schedule,
            "assumptions": assumptions(self.machine),
            "schedules": told.schedules,
            "strategy": told.strategy.as_ref().map(name),
            "seconds_to_first": told.first,
            "seconds": self.session.budget.elapsed().as_secs_f64(),
            "counterexample": counterexample,
        });
        told.to_string() + "\n"
    }
}

/// What a schedule rests on. Failures of the system, which its proof excludes, are noticed natively.
pub fn assumptions(machine: &Machine) -> Vec<String> {
    let all = Assumption::all(machine, machine.config().properties, &[]);
    let counts = |assumption: &Assumption| {
        matches!(
            assumption,
            Assumption::Environment(_)
                | Assumption::Harmless { .. }
                | Assumption::AddressNumbers
                | Assumption::ReadersOvertake
        )
    };
    all.iter().filter(|assumption| counts(assumption)).map(Assumption::to_string).collect()
}

/// The same, one in a line.
pub fn assuming(assumptions: &[String]) -> String {
    let lines: String = assumptions.iter().map(|assumption| format!("  - {assumption}\n")).collect();
    if lines.is_empty() { lines } else { format!("assuming that\n{lines}") }
}

/// Why no schedule helps where no execution has a fault.
fn hindered(at: &Location) -> String {
    format!("at {at} a thread has to wait for ever, or assumes what does not hold under any schedule")
}

/// The size of a schedule.
struct Count {
    sites: usize,
    sections: usize,
    events: usize,
}

impl Count {
    fn of(schedule: &Schedule) -> Count {
        let lanes = schedule.sections.iter().flat_map(|section| &section.lanes);
        let events = lanes.map(|lane| lane.events.len()).sum();
        Count { sites: schedule.sites.len(), sections: schedule.sections.len(), events }
    }
}
