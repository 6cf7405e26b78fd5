//! Witnesses in format 1.0, in GraphML.

use std::fmt::Write;

use super::Task;
use super::path::Threads;
use crate::effect::Effect;
use crate::interleaving::{Interleaving, Line, Role};
use crate::view::View;

/// The data of graphs, nodes and edges: for what, name and type.
const KEYS: [(&str, &str, &str); 17] = [
    ("graph", "witness-type", "string"),
    ("graph", "sourcecodelang", "string"),
    ("graph", "producer", "string"),
    ("graph", "specification", "string"),
    ("graph", "programfile", "string"),
    ("graph", "programhash", "string"),
    ("graph", "architecture", "string"),
    ("graph", "creationtime", "string"),
    ("node", "entry", "boolean"),
    ("node", "violation", "boolean"),
    ("edge", "startline", "int"),
    ("edge", "endline", "int"),
    ("edge", "threadId", "string"),
    ("edge", "createThread", "string"),
    ("edge", "enterFunction", "string"),
    ("edge", "assumption", "string"),
    ("edge", "assumption.resultfunction", "string"),
];

/// The witness of a verdict that is known.
pub fn graphml(view: &View<'_>, task: &Task, specification: &str) -> String {
    let violation = view.violation();
    let kind = if violation.is_some() { "violation_witness" } else { "correctness_witness" };
    let mut out = head(kind, task, specification);
    let none = Interleaving::default();
    let told = violation.and_then(|violation| violation.interleaving).unwrap_or(&none);
    let threads = Threads::of(told);
    let lines: Vec<&Line> = told.lines.iter().filter(|line| line.at.line != 0).collect();
    let last = lines.len() + usize::from(violation.is_some());
    for number in 0..=last {
        node(&mut out, number, number == 0, violation.is_some() && number == last);
    }
    if violation.is_some() {
        edge(&mut out, 0, &[("enterFunction", "main".to_owned()), ("threadId", "0".to_owned())]);
    }
    for (index, line) in lines.iter().enumerate() {
        edge(&mut out, index + 1, &data(line, &threads));
    }
    out + "</graph>\n</graphml>\n"
}

fn head(kind: &str, task: &Task, specification: &str) -> String {
    let mut out = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n\
                   <graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\" \
                   xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">\n"
        .to_owned();
    for (part, name, kind) in KEYS {
        let _ = write!(out, "<key attr.name=\"{name}\" attr.type=\"{kind}\" for=\"{part}\" id=\"{name}\"");
        out.push_str(if kind == "boolean" { "><default>false</default></key>\n" } else { "/>\n" });
    }
    out.push_str("<graph edgedefault=\"directed\">\n");
    let (file, hash) = task.files.first().cloned().unwrap_or_default();
    let architecture = if task.is_32_bit { "32bit" } else { "64bit" };
    for (key, value) in [
        ("witness-type", kind),
        ("sourcecodelang", "C"),
        ("producer", concat!("threadproof ", env!("CARGO_PKG_VERSION"))),
        ("specification", specification),
        ("programfile", &file),
        ("programhash", &hash),
        ("architecture", architecture),
        ("creationtime", &task.time),
    ] {
        let _ = writeln!(out, " <data key=\"{key}\">{}</data>", escape(value));
    }
    out
}

fn node(out: &mut String, number: usize, entry: bool, violation: bool) {
    let _ = write!(out, " <node id=\"N{number}\">");
    for (key, _) in [("entry", entry), ("violation", violation)].into_iter().filter(|(_, is)| *is) {
        let _ = write!(out, "<data key=\"{key}\">true</data>");
    }
    out.push_str("</node>\n");
}

fn edge(out: &mut String, from: usize, data: &[(&str, String)]) {
    let _ = writeln!(out, " <edge source=\"N{from}\" target=\"N{}\">", from + 1);
    for (key, value) in data {
        let _ = writeln!(out, "  <data key=\"{key}\">{}</data>", escape(value));
    }
    out.push_str(" </edge>\n");
}

fn data(line: &Line, threads: &Threads) -> Vec<(&'static str, String)> {
    let number = line.at.line.to_string();
    let mut data = vec![("startline", number.clone()), ("endline", number)];
    data.push(("threadId", threads.number(line.thread).to_string()));
    match &line.effect {
        _ if line.role == Role::Fault => {}
        Effect::Create { peer } => data.push(("createThread", threads.number(*peer).to_string())),
        Effect::Start => data.push(("enterFunction", line.at.function.clone())),
        Effect::Input { function, value } => {
            data.push(("assumption", format!("\\result == {value};")));
            data.push(("assumption.resultfunction", function.clone()));
        }
        _ => {}
    }
    data
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
