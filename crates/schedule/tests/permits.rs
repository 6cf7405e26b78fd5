//! A record is held against its schedule: what follows the schedule is permitted, and nothing else.
//! Every test that runs a native program relies on the second half.

use ir::{Location, Site};
use schedule::{
    Choice, Claim, Event, FORMAT, Kind, Lane, Next, Place, Recorded, Requirement, Schedule, Section, permits,
    read_record,
};

/// Two threads write cells of their own and then read each other's; thread 1 decides whether they do
/// so again; at last one of them comes first, and the program ends.
fn schedule() -> Schedule {
    let write = |site| Event { site, kind: Kind::Plain, until: None, after: Vec::new() };
    let read = |site, thread| Event { after: vec![Requirement { thread, events: 1 }], ..write(site) };
    let lane = |thread, events| Lane { thread, events };
    let again = Choice { comes_to: Some(0), section: 0 };
    let enough = Choice { comes_to: Some(4), section: 1 };
    let claim = |thread, section| Claim { thread, comes_to: 5, section };
    let sections = vec![
        Section {
            lanes: vec![lane(1, vec![write(0), read(2, 2)]), lane(2, vec![write(1), read(3, 1)])],
            next: Next::Branch { thread: 1, choices: vec![again, enough] },
        },
        Section {
            lanes: vec![lane(1, vec![write(4)])],
            next: Next::Race { choices: vec![claim(1, 2), claim(2, 3)] },
        },
        Section { lanes: vec![lane(1, vec![write(5)])], next: Next::Section(4) },
        Section { lanes: vec![lane(2, vec![write(5)])], next: Next::Section(4) },
        Section { lanes: vec![lane(0, vec![write(6)])], next: Next::End },
    ];
    let at = |line| Location { file: "prog.c".to_owned(), line, column: 1, function: "run".to_owned() };
    let place = |site| Place { site: Site { function: "run".to_owned(), ordinal: site }, at: at(site + 1) };
    Schedule {
        format: FORMAT,
        tool: "by hand".to_owned(),
        program: String::new(),
        sites: (0..7).map(place).collect(),
        omitted: Vec::new(),
        arguments: None,
        may_fail: Vec::new(),
        start: 0,
        sections,
    }
}

/// Two rounds in different orders, and an end.
const RUN: &str = "event 1 0
event 2 1
event 2 3
event 1 2
section 0
event 2 1
event 1 0
event 1 2
event 2 3
section 1
event 1 4
section 3
event 2 5
section 4
event 0 6";

fn recorded(text: &str) -> Vec<Recorded> {
    read_record(text).expect("the record is well-formed")
}

/// The line of a record that is not permitted.
fn stops_at(text: &str) -> Option<usize> {
    permits(&schedule(), &recorded(text)).err().map(|violation| violation.line)
}

#[test]
fn what_follows_the_schedule_is_permitted_and_may_stop_anywhere() {
    let lines: Vec<&str> = RUN.lines().collect();
    for length in 0..=lines.len() {
        assert_eq!(stops_at(&lines[..length].join("\n")), None, "{length} lines");
    }
}

#[test]
fn nothing_else_is() {
    for (what, from, to, line) in [
        ("a read before the other's write", "event 2 1\nevent 2 3\nevent 1 2", "event 1 2\nevent 2 1", 2),
        ("a write that comes twice", "event 1 0\nevent 2 1", "event 1 0\nevent 1 0", 2),
        ("a thread that is not known", "event 0 6", "event 3 6", 15),
        ("a thread without events", "event 0 6", "event 1 6", 15),
        ("another site", "event 0 6", "event 0 5", 15),
        ("a section that is not complete", "event 2 3\nsection 1", "section 1", 9),
        ("a section that does not follow", "section 1", "section 3", 10),
        ("a branching against its guard", "section 0\nevent 2 1\nevent 1 0", "section 1\nevent 1 0", 5),
        ("a race that another thread won", "section 3\nevent 2 5", "section 2\nevent 2 5", 13),
        ("a race against its site", "section 3\nevent 2 5", "section 3\nevent 2 6", 12),
        ("an event after the end", "event 0 6", "event 0 6\nevent 1 0", 16),
        ("a section after the end", "event 0 6", "event 0 6\nsection 0", 16),
    ] {
        assert!(RUN.contains(from), "{what}");
        assert_eq!(stops_at(&RUN.replacen(from, to, 1)), Some(line), "{what}");
    }
}

#[test]
fn what_is_no_record_is_refused() {
    for line in ["", "event", "event 1", "section", "section 1 2", "event one 2", "departed"] {
        let text = format!("event 1 0\n{line}\nsection 1");
        assert!(read_record(&text).is_err_and(|error| error.line == 2), "{line}");
    }
}
