//! State graphs in the language of Graphviz.

use std::fmt::Write;

use explicit::{DrawnState, DrawnStep, Edge, Graph};
use machine::{End, Grain, Machine};

/// The longest label of an edge, in lines.
const MOST_LINES: usize = 6;

/// The graph as a `digraph`.
pub fn dot(machine: &Machine, graph: &Graph, grain: Grain) -> String {
    let mut out = String::from("digraph states {\n");
    out.push_str("  node [shape=box style=filled fontname=\"Helvetica\" fontsize=10];\n");
    out.push_str("  edge [fontname=\"Helvetica\" fontsize=9];\n");
    for cut in graph.cuts() {
        // Writing to a string cannot fail.
        let _ = writeln!(out, "  // incomplete: {}", one_line(&cut.to_string()));
    }
    let last = graph.layers().len().saturating_sub(1) as u32;
    for (number, state) in graph.states().enumerate() {
        let layer = graph.layer(number);
        let (fill, font) = colour(layer, last);
        let mut label = format!("{number}\nlayer {layer}");
        let mut border = "";
        if let Some(deadlock) = &state.deadlock {
            let _ = write!(label, "\n{}", report::message(deadlock));
            border = " color=red penwidth=3";
        }
        let label = quoted(&label);
        let _ = writeln!(out, "  s{number} [label={label} fillcolor=\"{fill}\" fontcolor={font}{border}];");
    }
    for (number, (before, from, edge)) in graph.steps().enumerate() {
        let label = edge_label(machine, before, grain, edge);
        out.push_str(&edge_text(number, from, edge, &label));
    }
    out.push_str("}\n");
    out
}

/// The label of an edge, and its colour if a fault is on it.
fn edge_label(machine: &Machine, before: &DrawnState, grain: Grain, edge: &Edge<DrawnStep>) -> String {
    let (thread, DrawnStep { choice, faults, .. }) = (edge.thread(), &edge.label);
    let told = report::step(machine, &before.state, thread, *choice, grain);
    let mut lines: Vec<String> =
        told.iter().map(|(at, text)| format!("{thread} line {}: {text}", at.line)).collect();
    if lines.len() > MOST_LINES {
        lines.truncate(MOST_LINES - 1);
        lines.push("...".to_owned());
    }
    lines.extend(faults.iter().map(report::message));
    let colour = if faults.is_empty() { "" } else { " color=red fontcolor=red" };
    format!("[label={}{colour}]", quoted(&lines.join("\n")))
}

fn edge_text(number: usize, from: u32, edge: &Edge<DrawnStep>, label: &str) -> String {
    match (edge.to(), &edge.label.end) {
        (_, Some(end)) => {
            let (name, shape) = ending(end);
            format!("  e{number} [label={} {shape}];\n  s{from} -> e{number} {label};\n", quoted(&name))
        }
        (to, None) => {
            let to = to.expect("a step leads to a state or to an end");
            format!("  s{from} -> s{to} {label};\n")
        }
    }
}

/// What an execution's end is called and how it looks.
fn ending(end: &End) -> (String, &'static str) {
    match end {
        End::Exited(code) => (format!("exit {code}"), "shape=ellipse fillcolor=white"),
        End::Aborted => ("abort".to_owned(), "shape=ellipse fillcolor=white"),
        End::Fault => ("fault".to_owned(), "shape=octagon fillcolor=red fontcolor=white"),
        End::Infeasible => ("assumption is false".to_owned(), "shape=ellipse style=dashed"),
        End::Unsupported(what) => (format!("not supported: {what}"), "shape=ellipse style=dashed"),
    }
}

/// The colour of a layer, from white to a dark blue, and of text upon it.
fn colour(layer: u32, last: u32) -> (String, &'static str) {
    let mix = |light: u32, dark: u32| (light * (last - layer) + dark * layer) / last.max(1);
    let (red, green, blue) =
        if last == 0 { (255, 255, 255) } else { (mix(255, 8), mix(255, 48), mix(255, 107)) };
    let font = if red < 128 { "white" } else { "black" };
    (format!("#{red:02x}{green:02x}{blue:02x}"), font)
}

/// A quoted string with its lines centred.
pub fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            c if c.is_control() => out.push('?'),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

fn one_line(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_stay_strings() {
        assert_eq!(quoted("a \"b\" \\ c\nd\u{1}"), r#""a \"b\" \\ c\nd?""#);
    }

    #[test]
    fn layers_get_darker() {
        assert_eq!(colour(0, 0), ("#ffffff".to_owned(), "black"));
        assert_eq!(colour(0, 3).0, "#ffffff");
        assert_eq!(colour(3, 3), ("#08306b".to_owned(), "white"));
    }
}
