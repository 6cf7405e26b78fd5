//! Whether a recorded execution is one that a schedule permits.

use crate::file::{Next, Schedule};

/// One line of a record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Recorded {
    /// A section began.
    Section(u32),
    /// A thread executed the instruction at a site.
    Event {
        /// The thread that executed it.
        thread: u32,
        /// The index of the site.
        site: u32,
    },
}

/// Where a record does not follow a schedule.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line} of the record: {what}")]
pub struct Violation {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong.
    pub what: String,
}

/// Reads what the runtime writes for `THREADPROOF_RECORD`; lines of another
/// form are an error.
pub fn read_record(text: &str) -> Result<Vec<Recorded>, Violation> {
    let lines = text.lines().enumerate();
    let read = |(index, line): (usize, &str)| {
        let words: Vec<&str> = line.split(' ').collect();
        let number = |index: usize| words.get(index).and_then(|word| word.parse::<u32>().ok());
        match (words[0], number(1), number(2)) {
            ("section", Some(section), None) => Ok(Recorded::Section(section)),
            ("event", Some(thread), Some(site)) => Ok(Recorded::Event { thread, site }),
            _ => Err(Violation { line: index + 1, what: format!("unknown: {line}") }),
        }
    };
    lines.map(read).collect()
}

/// Checks that a record follows a schedule from its start. It may stop anywhere.
pub fn permits(schedule: &Schedule, record: &[Recorded]) -> Result<(), Violation> {
    let mut at = Position { schedule, section: schedule.start, done: vec![0; schedule.threads() as usize] };
    for (index, line) in record.iter().enumerate() {
        let result = match *line {
            Recorded::Section(section) => at.enter(section, &record[index + 1..]),
            Recorded::Event { thread, site } => at.execute(thread, site),
        };
        result.map_err(|what| Violation { line: index + 1, what })?;
    }
    Ok(())
}

/// The site of the next event of a thread.
fn next_site(rest: &[Recorded], thread: u32) -> Option<u32> {
    rest.iter().find_map(|line| match line {
        Recorded::Event { thread: who, site } if *who == thread => Some(*site),
        _ => None,
    })
}

struct Position<'s> {
    schedule: &'s Schedule,
    section: u32,
    /// Per thread, how many events of the section it has done.
    done: Vec<usize>,
}

impl Position<'_> {
    fn execute(&mut self, thread: u32, site: u32) -> Result<(), String> {
        let section = &self.schedule.sections[self.section as usize];
        let done = *self.done.get(thread as usize).ok_or(format!("thread {thread} is not known"))?;
        let event = section.events(thread).get(done);
        let event = event.ok_or(format!("thread {thread} has no more events in section {}", self.section))?;
        if event.site != site {
            return Err(format!("thread {thread} is at site {site}, expected was {}", event.site));
        }
        let unmet = event.after.iter().find(|need| self.done[need.thread as usize] < need.events as usize);
        if let Some(need) = unmet {
            return Err(format!("thread {thread} did not wait for thread {}", need.thread));
        }
        self.done[thread as usize] += 1;
        Ok(())
    }

    fn enter(&mut self, next: u32, rest: &[Recorded]) -> Result<(), String> {
        let section = &self.schedule.sections[self.section as usize];
        if section.lanes.iter().any(|lane| self.done[lane.thread as usize] < lane.events.len()) {
            return Err(format!("section {} is not complete", self.section));
        }
        let linked = match &section.next {
            Next::End | Next::Exit => false,
            Next::Section(section) => *section == next,
            Next::Race { choices } => choices.iter().any(|claim| {
                let goes_on = next_site(rest, claim.thread);
                claim.section == next && goes_on.is_none_or(|site| site == claim.comes_to)
            }),
            Next::Branch { thread, choices } => {
                let goes_on = next_site(rest, *thread);
                // A record that stops before does not tell.
                choices.iter().any(|c| c.section == next && (goes_on.is_none() || c.comes_to == goes_on))
            }
        };
        if !linked {
            return Err(format!("section {next} does not follow section {}", self.section));
        }
        self.section = next;
        self.done.fill(0);
        Ok(())
    }
}
