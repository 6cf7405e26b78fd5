//! Which engines run when, if none was named.
//!
//! The first engine of the order, the favourite, goes on all the time. After a
//! moment alone others join it: as many run side by side as there are cores, and
//! those take turns. An engine whose turn is over is suspended with all that it
//! has found out, and goes on from there when its turn comes again; each turn is
//! twice as long as the one before. When the favourite ends without knowing, the
//! next in the order takes its place. The first conclusive answer ends the rest.

use std::sync::Arc;
use std::time::{Duration, Instant};

use engine::{Budget, Exceeded, Outcome, Progress, Reason, Stats, Verdict};
use machine::Properties;

use crate::args::CheckArgs;
use crate::choose::{Choice, quick_look};
use crate::fall_through::{Answer, Asking, Next, told, told_work};
use crate::portfolio::{Ended, Portfolio};

/// How long the favourite is alone, and its part of a time limit. Most programs are decided
/// within it; of those that are not, many are decided at once by another engine.
const ALONE: Duration = Duration::from_millis(100);
const ALONE_PART: u32 = 8;

/// How long a quick look may take, and its part of a time limit.
const QUICK_LOOK: Duration = Duration::from_secs(6);
const QUICK_PART: u32 = 8;

/// The first turn of those that take turns, and the longest. All of the first turns together
/// should not take much longer than a second: what an engine knows at once is said soon then.
const FIRST_TURN: Duration = Duration::from_millis(400);
const LONGEST_TURN: Duration = Duration::from_secs(32);

/// How often it is looked whether turns are over.
const INTERVAL: Duration = Duration::from_millis(10);

/// How long engines may take to say what they covered, when the time is over.
const LAST_WORDS: Duration = Duration::from_millis(240);

/// An engine that may be asked.
struct Contestant {
    choice: Choice,
    /// Whether it only has a quick look.
    quick: bool,
    status: Status,
    /// How long its next turn is.
    turn: Duration,
    /// When its last turn ended.
    since: Option<Instant>,
    /// How long its turns were that are over, and when it was last let run.
    worked: Duration,
    resumed: Option<Instant>,
    started: Option<Started>,
}

/// What is known of an engine that was started.
#[derive(Clone)]
struct Started {
    /// Its number in the portfolio.
    number: usize,
    /// The number of its note among those of all attempts.
    attempt: usize,
    progress: Arc<Progress>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Status {
    /// It was not started, or is suspended.
    Waiting,
    /// It runs until the end of its turn, or to its own end.
    Running {
        until: Option<Instant>,
    },
    Ended,
}

impl Contestant {
    fn new(choice: Choice, quick: bool) -> Contestant {
        Contestant {
            choice,
            quick,
            status: Status::Waiting,
            turn: FIRST_TURN,
            since: None,
            worked: Duration::ZERO,
            resumed: None,
            started: None,
        }
    }

    /// How long it was at work.
    fn time(&self) -> Duration {
        self.worked + self.resumed.map_or(Duration::ZERO, |resumed| resumed.elapsed())
    }

    /// Notes that it is suspended or has ended.
    fn rest(&mut self) {
        (self.worked, self.resumed) = (self.time(), None);
    }

    fn is_running(&self) -> bool {
        matches!(self.status, Status::Running { .. })
    }

    /// Whether it goes on until it has looked at everything.
    fn is_serious(&self) -> bool {
        !self.quick && !self.choice.endless
    }
}

/// The engines side by side.
pub struct Turns<'t, 'a> {
    asking: &'t mut Asking<'a>,
    args: Arc<CheckArgs>,
    portfolio: Portfolio,
    contestants: Vec<Contestant>,
    favourite: Option<usize>,
    alone_until: Instant,
    /// Whether engines that try values cannot get further.
    symbolic_only: bool,
    /// Those that ran out of memory.
    short_of_memory: Vec<usize>,
    /// What those said that do not know.
    unknown: Vec<(usize, Answer)>,
}

impl<'t, 'a> Turns<'t, 'a> {
    /// Engines in the order in which they are to be asked.
    pub fn new(asking: &'t mut Asking<'a>, choices: Vec<Choice>) -> Turns<'t, 'a> {
        let mut contestants: Vec<Contestant> =
            choices.into_iter().map(|choice| Contestant::new(choice, false)).collect();
        let follows = |quick: &Choice| quick.make(asking.args).follows(asking.config.memory_model);
        let quick = quick_look().filter(follows);
        let quick = quick.filter(|quick| asking.asked_of(*quick) != Properties::default());
        let first = contestants.len().min(1);
        contestants.splice(first..first, quick.map(|quick| Contestant::new(quick, true)));
        let args = Arc::new(asking.args.clone());
        Turns {
            asking,
            args,
            portfolio: Portfolio::default(),
            contestants,
            favourite: None,
            alone_until: Instant::now(),
            symbolic_only: false,
            short_of_memory: Vec::new(),
            unknown: Vec::new(),
        }
    }

    /// Runs them until one knows, or none does.
    pub fn run(mut self) -> Answer {
        loop {
            self.arrange(Instant::now());
            if !self.contestants.iter().any(Contestant::is_running) {
                return self.with_all_memory();
            }
            if let Some((number, ended)) = self.portfolio.next(INTERVAL)
                && let Some((index, answer)) = self.ended(number, ended)
            {
                return self.finish(index, answer);
            }
            if self.asking.is_out_of_time() {
                return self.give_up();
            }
        }
    }

    /// Decides which engines run now.
    fn arrange(&mut self, now: Instant) {
        self.stop_pointless();
        self.choose_favourite(now);
        if now < self.alone_until {
            return;
        }
        self.end_turns(now);
        let places = self.asking.budget.threads().max(2) - 1;
        while self.taking_turns().count() < places
            && let Some(next) = self.next()
        {
            let until = now + self.contestants[next].turn;
            self.contestants[next].turn = (2 * self.contestants[next].turn).min(LONGEST_TURN);
            self.let_run(next, Some(until));
        }
    }

    /// The first in the order that has not ended.
    fn choose_favourite(&mut self, now: Instant) {
        if self.favourite.is_some_and(|index| self.contestants[index].status != Status::Ended) {
            return;
        }
        let serious = |index: &usize| self.contestants[*index].is_serious() && self.may_run(*index);
        self.favourite = (0..self.contestants.len()).find(serious);
        let Some(index) = self.favourite else { return };
        if self.contestants[index].started.is_none() {
            self.alone_until = now + self.part(ALONE, ALONE_PART);
        }
        self.let_run(index, None);
    }

    /// Suspends those whose turn is over, if others wait.
    fn end_turns(&mut self, now: Instant) {
        for index in 0..self.contestants.len() {
            let over =
                matches!(self.contestants[index].status, Status::Running { until: Some(end) } if end <= now);
            if let Some(started) =
                self.contestants[index].started.as_ref().filter(|_| over && self.next().is_some())
            {
                self.portfolio.suspend(started.number);
                let progress = Arc::clone(&started.progress);
                let contestant = &mut self.contestants[index];
                contestant.rest();
                (contestant.status, contestant.since) = (Status::Waiting, Some(now));
                let work = told_work(&progress, contestant.time());
                self.asking.log.note(&format!("{} is suspended{work}", contestant.choice.name()));
            }
        }
    }

    fn taking_turns(&self) -> impl Iterator<Item = usize> {
        let all = self.contestants.iter().enumerate();
        all.filter(|(_, each)| matches!(each.status, Status::Running { until: Some(_) }))
            .map(|(index, _)| index)
    }

    /// The one that has waited longest.
    fn next(&self) -> Option<usize> {
        let waits =
            |index: &usize| self.contestants[*index].status == Status::Waiting && self.may_run(*index);
        (0..self.contestants.len()).filter(waits).min_by_key(|index| self.contestants[*index].since)
    }

    /// Whether an engine that has not ended could be of use.
    fn may_run(&self, index: usize) -> bool {
        let Contestant { choice, status, .. } = &self.contestants[index];
        // If nothing is asked for but that executions can be followed to their ends,
        // any engine will do.
        let properties = self.asking.config.properties;
        let asked =
            properties == Properties::default() || self.asking.asked_of(*choice) != Properties::default();
        let too_hard = self.symbolic_only && self.asking.tries_values(*choice);
        let goes_on = |other: &Contestant| other.is_serious() && other.status != Status::Ended;
        let alone = choice.endless && !self.contestants.iter().any(goes_on);
        *status != Status::Ended && asked && !too_hard && !alone
    }

    /// Ends those that cannot find out anything more.
    fn stop_pointless(&mut self) {
        for index in 0..self.contestants.len() {
            if let Some(started) = self.contestants[index].started.as_ref().filter(|_| !self.may_run(index)) {
                self.portfolio.stop(started.number);
            }
        }
    }

    fn let_run(&mut self, index: usize, until: Option<Instant>) {
        let contestant = &mut self.contestants[index];
        contestant.status = Status::Running { until };
        contestant.resumed.get_or_insert_with(Instant::now);
        match &contestant.started {
            Some(started) => {
                self.portfolio.resume(started.number);
                self.asking.log.note(&format!("{} goes on where it was", contestant.choice.name()));
            }
            None => self.start(index),
        }
    }

    fn start(&mut self, index: usize) {
        let (choice, quick) = (self.contestants[index].choice, self.contestants[index].quick);
        let beside = self.favourite.is_some_and(|favourite| favourite != index) && !quick;
        let why = if beside { Some("side by side with the others") } else { choice.why };
        // What needs most memory is stopped first, and leaves some to the others.
        let budget = match (quick, index) {
            (true, _) => self.asking.budget.turn(self.part(QUICK_LOOK, QUICK_PART)),
            (false, 0) => self.asking.budget.clone().with_half_the_memory(),
            (false, _) => self.asking.budget.clone(),
        };
        let attempt = self.asking.begin(Choice { why, ..choice });
        let progress = self.asking.board.enter(choice.name());
        let (args, question) = (Arc::clone(&self.args), self.asking.question(choice));
        let shown = Arc::clone(&progress);
        let run = move |budget: &Budget| question.run(&args, choice, budget, &shown);
        let number = self.portfolio.start(choice.engine.name(), &budget, run);
        self.contestants[index].started = Some(Started { number, attempt, progress });
    }

    /// Notes how an engine ended. Yields its answer if that is the last word.
    fn ended(&mut self, number: usize, ended: Ended) -> Option<(usize, Answer)> {
        let is_it = |each: &Contestant| each.started.as_ref().is_some_and(|started| started.number == number);
        let index = self.contestants.iter().position(is_it)?;
        self.contestants[index].rest();
        self.contestants[index].status = Status::Ended;
        let time = self.contestants[index].time();
        let Started { attempt, progress, .. } = self.contestants[index].started.clone()?;
        let choice = self.contestants[index].choice;
        self.asking.board.leave(&progress);
        engine::release();
        let (machine, outcome) = match ended {
            Ok(ended) => ended,
            Err(message) => {
                self.asking.end(attempt, format!("internal error: {message}"), time, &progress);
                self.asking.failures.push(format!("the engine {} failed: {message}", choice.engine.name()));
                return None;
            }
        };
        self.asking.end(attempt, told(&outcome, machine.config().properties), time, &progress);
        let answer = Answer { choice: Some(choice), machine, outcome };
        let next = self.next_after(index, &answer);
        self.symbolic_only |= next == Next::Symbolic;
        if next == Next::Done {
            return Some((index, answer));
        }
        self.unknown.push((index, answer));
        None
    }

    /// What is to be done after an answer.
    fn next_after(&mut self, index: usize, answer: &Answer) -> Next {
        match &answer.outcome.verdict {
            // Those that look at some executions only know what they have found.
            Verdict::Unknown { .. } if !self.contestants[index].is_serious() => Next::Later,
            Verdict::Unknown {
                reason: Reason::Exceeded(Exceeded::Cancelled | Exceeded::Time { .. }),
                ..
            } => Next::Later,
            Verdict::Unknown { reason: Reason::Exceeded(Exceeded::Memory { .. }), .. } => {
                self.short_of_memory.push(index);
                Next::Later
            }
            _ => self.asking.next(answer),
        }
    }

    /// When all have ended, those that ran out of memory may have all of it.
    fn with_all_memory(mut self) -> Answer {
        for index in std::mem::take(&mut self.short_of_memory) {
            let choice = self.contestants[index].choice;
            if self.symbolic_only && self.asking.tries_values(choice) || self.asking.is_out_of_time() {
                continue;
            }
            let answer = self.asking.turn(Choice { why: Some("with all of the memory"), ..choice });
            if self.asking.next(&answer) == Next::Done {
                return answer;
            }
            self.unknown.retain(|(other, _)| *other != index);
            self.unknown.push((index, answer));
        }
        self.without_answer()
    }

    /// The time is over: the engines say how far they got.
    fn give_up(mut self) -> Answer {
        if self.asking.is_cancelled() {
            self.portfolio.stop_all();
        }
        let end = Instant::now() + LAST_WORDS;
        while self.contestants.iter().any(|each| each.started.is_some() && each.status != Status::Ended) {
            let left = end.saturating_duration_since(Instant::now());
            let Some((number, ended)) = self.portfolio.next(left) else { break };
            if let Some((index, answer)) = self.ended(number, ended) {
                return self.finish(index, answer);
            }
        }
        self.without_answer()
    }

    /// That none of them knows, with what each has covered.
    fn without_answer(mut self) -> Answer {
        let mut unknown = std::mem::take(&mut self.unknown);
        unknown.retain(|(_, answer)| matches!(answer.outcome.verdict, Verdict::Unknown { .. }));
        unknown.sort_by_key(|(index, _)| (!self.contestants[*index].is_serious(), *index));
        let told: Vec<String> = unknown.iter().filter_map(|(_, answer)| covered(answer)).collect();
        let mut unknown = unknown.into_iter();
        let Some((index, mut answer)) = unknown.next() else { return self.nothing_known() };
        unknown.for_each(|(_, other)| answer.machine.add_executed(&other.machine));
        if let Verdict::Unknown { covered, .. } = &mut answer.outcome.verdict
            && told.len() > 1
        {
            *covered = told.join("\n");
        }
        self.finish(index, answer)
    }

    /// That no engine has said anything.
    fn nothing_known(self) -> Answer {
        let Some(exceeded) = self.asking.budget.exceeded() else {
            // All of them have failed: there is no verdict.
            panic!("no engine has an answer; {}", self.asking.failures.join("; "));
        };
        let (reason, covered) = (Reason::Exceeded(exceeded), "nothing is known of how far the search was");
        let verdict = Verdict::Unknown { reason, covered: covered.to_owned() };
        let stats = Stats::after(self.asking.budget.elapsed().as_secs_f64());
        let outcome = Outcome { verdict, stats, warnings: Vec::new(), assumptions: Vec::new() };
        let choice = self.contestants.first().map(|first| first.choice);
        Answer { choice, machine: self.asking.machine(self.asking.config.properties), outcome }
    }

    /// Ends the others, and puts the note of the engine that answered last.
    fn finish(self, index: usize, answer: Answer) -> Answer {
        for each in self.contestants.iter().filter(|each| each.status != Status::Ended) {
            if let Some(started) = &each.started {
                self.asking.end(started.attempt, "stopped".to_owned(), each.time(), &started.progress);
            }
        }
        if let Some(started) = &self.contestants[index].started {
            let mut attempts = self.asking.attempts();
            let own = attempts.remove(started.attempt);
            attempts.push(own);
        }
        answer
    }

    /// Some time, but no more than a part of what is left.
    fn part(&self, time: Duration, part: u32) -> Duration {
        self.asking.budget.remaining().map_or(time, |left| time.min(left / part))
    }
}

/// What an engine has covered that does not know, if that is anything.
fn covered(answer: &Answer) -> Option<String> {
    let Verdict::Unknown { covered, .. } = &answer.outcome.verdict else { return None };
    let name = answer.choice?.engine.name();
    let anything = !covered.is_empty() && !covered.starts_with("0 ");
    anything.then(|| format!("{covered} ({name})"))
}
