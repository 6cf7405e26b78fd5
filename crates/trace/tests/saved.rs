//! The reader of saved traces: what it writes it reads, and junk is an error
//! that says so, never a panic.

use fastrand::Rng;
use ir::{Location, Site};
use machine::{Fault, FaultKind, Grain, Property, ThreadId};
use trace::{FORMAT, Options, Place, ReadError, SavedTrace, SourceHash, Trace, TraceStep, content_hash};

fn location(line: u32) -> Location {
    Location { file: "a.c".into(), line, column: 3, function: "main".into() }
}

fn site(ordinal: u32) -> Site {
    Site { function: "main".into(), ordinal }
}

fn sample() -> SavedTrace {
    let steps = (0..5)
        .map(|i| TraceStep {
            mover: ThreadId(i % 2).into(),
            choice: u64::from(i / 4),
            at: location(i + 1),
            site: site(i + 2),
        })
        .collect();
    SavedTrace {
        format: FORMAT,
        tool: "0.1.0".into(),
        directory: "/tmp".into(),
        inputs: vec!["a.c".into()],
        sources: vec![SourceHash { path: "a.c".into(), hash: content_hash(b"int main;") }],
        options: Options {
            flags: vec!["-DN=3".into()],
            data_model: "lp64".into(),
            havoc: vec![],
            args: None,
            max_args: 2,
            max_arg_length: 2,
            nondet_range: Some((-1, 3)),
            memory_model: machine::MemoryModel::Sc,
            buffer_bound: machine::BUFFER_BOUND,
            stack_limit: 8 << 20,
            properties: vec![Property::Assert, Property::LockMisuse],
            assumed: vec![],
            error_calls_only: false,
            volatile_atomic: false,
            malloc_may_fail: false,
            create_may_fail: false,
            suppressions: Vec::new(),
            temporal: None,
            file_flags: Vec::new(),
        },
        engine: "reference".into(),
        fault: Fault {
            kind: FaultKind::Assertion { message: "x == 2 \u{201c}\u{0}\"".into() },
            thread: ThreadId(1),
            at: location(9),
            calls: vec![location(11)],
        },
        places: vec![Place { at: location(9), site: site(12) }],
        trace: Trace { grain: Grain::Visible, steps },
    }
}

#[test]
fn what_is_written_is_read() {
    let saved = sample();
    assert_eq!(SavedTrace::parse(saved.to_json().as_bytes()).unwrap(), saved);
}

#[test]
fn errors_say_what_is_wrong() {
    let text = sample().to_json();
    let message = |bytes: &[u8]| SavedTrace::parse(bytes).unwrap_err().to_string();
    assert!(message(b"").contains("not valid JSON"));
    assert!(message(&text.as_bytes()[..text.len() / 2]).contains("not valid JSON"));
    assert!(message(b"[1, 2]").contains("no number `format`"));
    assert!(message(b"{\"format\": 99}").contains("format 99"));
    assert!(message(text.replace("\"visible\"", "\"huge\"").as_bytes()).contains("huge"));
    assert!(message(text.replace("\"steps\"", "\"stops\"").as_bytes()).contains("steps"));
    assert!(message(&[b'['; 1 << 20]).contains("recursion limit"));
}

#[test]
fn hashes_are_the_published_ones() {
    // From the FNV reference test vectors.
    assert_eq!(content_hash(b""), "6c62272e07bb014262b821756295c58d");
    assert_eq!(content_hash(b"foobar"), "343e1662793c64bf6f0d3597ba446f18");
}

/// Cuts, doubles, swaps and overwrites pieces of a real trace.
fn damage(text: &[u8], random: &mut Rng) -> Vec<u8> {
    const SCRAPS: [&[u8]; 10] =
        [b"{", b"]", b"-1", b"1e999", b"null", b"\"", b"18446744073709551616", b"\xff", b"\\u0000", b"true"];
    let mut bytes = text.to_vec();
    for _ in 0..1 + random.usize(..4) {
        let at = random.usize(..bytes.len().max(1)).min(bytes.len());
        let to = (at + random.usize(..40)).min(bytes.len());
        match random.usize(..4) {
            0 => bytes.truncate(at),
            1 => drop(bytes.drain(at..to)),
            2 => drop(bytes.splice(at..to, SCRAPS[random.usize(..SCRAPS.len())].iter().copied())),
            _ => {
                let piece = bytes[at..to].to_vec();
                bytes.splice(at..at, piece);
            }
        }
    }
    bytes
}

#[test]
fn junk_never_panics() {
    let mut random = Rng::with_seed(1);
    let text = sample().to_json();
    let mut refused = 0;
    for _ in 0..20_000 {
        let junk = match random.usize(..3) {
            0 => (0..random.usize(..200)).map(|_| random.usize(..256) as u8).collect(),
            _ => damage(text.as_bytes(), &mut random),
        };
        if let Err(error) = SavedTrace::parse(&junk) {
            refused += 1;
            assert!(!error.to_string().is_empty());
            assert!(!matches!(error, ReadError::Format { found } if found == u64::from(FORMAT)));
        }
    }
    assert!(refused > 15_000, "only {refused} of 20000 refused");
}

#[test]
fn a_step_names_its_mover_by_what_it_is() {
    let text = sample().to_json();
    let value: serde_json::Value = serde_json::from_str(&text).expect("valid JSON");
    let steps = &value["trace"]["steps"];
    assert_eq!((&steps[0]["thread"], &steps[1]["thread"]), (&0.into(), &1.into()));
}
