//! Schedules in the language of Graphviz.

use std::fmt::Write;

use schedule::{Event, Next, Schedule, Section};

use crate::dot::quoted;

/// The most events of a section that are shown.
const MOST_EVENTS: usize = 24;

/// The sections as a `digraph`, each with its events and what these come after; where a section branches, edges have the site that the
/// branching thread comes to.
pub fn dot(schedule: &Schedule) -> String {
    let mut out = String::from("digraph schedule {\n");
    out.push_str("  node [shape=box fontname=\"Helvetica\" fontsize=10];\n");
    out.push_str("  edge [fontname=\"Helvetica\" fontsize=9];\n");
    for (number, section) in schedule.sections.iter().enumerate() {
        // Writing to a string cannot fail.
        let _ = writeln!(out, "  s{number} [label={}];", quoted(&label(schedule, number, section)));
        match &section.next {
            Next::End | Next::Exit => {}
            Next::Section(next) => _ = writeln!(out, "  s{number} -> s{next};"),
            Next::Race { choices } => {
                for claim in choices {
                    let label = quoted(&format!("T{} comes first", claim.thread));
                    let _ = writeln!(out, "  s{number} -> s{} [label={label} style=dashed];", claim.section);
                }
            }
            Next::Branch { thread, choices } => {
                for choice in choices {
                    let at = choice.comes_to.map_or("its end".to_owned(), |site| place(schedule, site));
                    let label = quoted(&format!("T{thread} comes to {at}"));
                    let _ = writeln!(out, "  s{number} -> s{} [label={label}];", choice.section);
                }
            }
        }
    }
    out.push_str("}\n");
    out
}

fn label(schedule: &Schedule, number: usize, section: &Section) -> String {
    let mut lines = vec![format!("section {number}")];
    for lane in &section.lanes {
        let events = lane.events.iter().take(MOST_EVENTS).zip(1..);
        lines.extend(events.map(|(event, n)| format!("T{}.{n} {}", lane.thread, told(schedule, event))));
        let more = lane.events.len().saturating_sub(MOST_EVENTS);
        lines.extend((more > 0).then(|| format!("... {more} more")));
    }
    lines.extend((section.next == Next::Exit).then(|| "the process ends".to_owned()));
    lines.join("\n")
}

/// An event: where it is, where it ends if it is more than one instruction, and the last events of
/// other threads that it comes after. Each is named by its thread and its number there.
fn told(schedule: &Schedule, event: &Event) -> String {
    let mut text = place(schedule, event.site);
    if let Some(until) = event.until {
        text += &format!(" to {}", place(schedule, until.site));
    }
    let earlier = event.after.iter().map(|need| format!("T{}.{}", need.thread, need.events));
    let earlier = earlier.collect::<Vec<_>>().join(", ");
    if earlier.is_empty() { text } else { format!("{text} after {earlier}") }
}

fn place(schedule: &Schedule, site: u32) -> String {
    let at = &schedule.sites[site as usize].at;
    format!("{} ({})", at, at.function)
}
