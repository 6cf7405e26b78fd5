//! Random formulas: what their automata accept, by the definition and by another tool.

use std::process::Command;

use fastrand::Rng;
use ltl::{Automaton, Edge, Formula, Guard, Lasso, automaton, is_bad_prefix};

const ATOMS: u32 = 3;

fn formula(random: &mut Rng, size: u32) -> Formula {
    if size <= 1 {
        let atom = Formula::Atom(random.u32(..ATOMS));
        return if random.bool() { atom } else { atom.negated() };
    }
    let left = random.u32(1..size.max(2));
    let right = (size - left).max(1);
    match random.u32(..9) {
        0 => formula(random, size - 1).negated(),
        1 => formula(random, size - 1).always(),
        2 => formula(random, size - 1).eventually(),
        3 => formula(random, left).and(formula(random, right)),
        4 => formula(random, left).or(formula(random, right)),
        5 => formula(random, left).until(formula(random, right)),
        6 => formula(random, left).release(formula(random, right)),
        7 => formula(random, left).weak_until(formula(random, right)),
        _ => formula(random, left).implies(formula(random, right)),
    }
}

fn word(random: &mut Rng) -> Lasso {
    let len = random.usize(1..=7);
    let letters = (0..len).map(|_| random.u64(..1 << ATOMS)).collect();
    Lasso::new(letters, random.usize(..len))
}

/// A formula's automaton accepts what the formula says, and that of the negation the rest.
#[test]
fn automata_accept_what_formulas_say() {
    let mut random = Rng::with_seed(16);
    let (mut words, mut states) = (0, 0);
    for _ in 0..5_000 {
        let size = random.u32(1..=12);
        let formula = formula(&mut random, size);
        let (own, other) = (automaton(&formula), automaton(&formula.clone().negated()));
        states += own.len() + other.len();
        for _ in 0..20 {
            let word = word(&mut random);
            let expected = word.fulfils(&formula);
            assert_eq!(word.is_accepted(&own), expected, "{} of {word:?}", formula.show(&[]));
            assert_eq!(word.is_accepted(&other), !expected, "not {} of {word:?}", formula.show(&[]));
            words += 1;
        }
    }
    println!("{words} words, {states} states of 10000 automata");
}

/// Repeating letters changes nothing.
#[test]
fn stuttering_does_not_matter() {
    let mut random = Rng::with_seed(3);
    for _ in 0..2_000 {
        let size = random.u32(1..=10);
        let formula = formula(&mut random, size);
        let len = random.usize(1..=6);
        let letters: Vec<u64> = (0..len).map(|_| random.u64(..1 << ATOMS)).collect();
        let start = random.usize(..len);
        let (mut repeated, mut repeated_start) = (Vec::new(), 0);
        for (place, letter) in letters.iter().enumerate() {
            if place == start {
                repeated_start = repeated.len();
            }
            repeated.extend(vec![*letter; random.usize(1..4)]);
        }
        let (word, longer) = (Lasso::new(letters, start), Lasso::new(repeated, repeated_start));
        assert_eq!(word.fulfils(&formula), longer.fulfils(&formula), "{}", formula.show(&[]));
    }
}

/// A word that violates a safety formula has a beginning that no word can have which
/// fulfils it; and no beginning of a word that fulfils a formula is bad.
#[test]
fn bad_prefixes_are_those_of_violations() {
    let mut random = Rng::with_seed(5);
    let mut safety = 0;
    for _ in 0..20_000 {
        let size = random.u32(1..=8);
        let formula = formula(&mut random, size);
        let len = random.usize(1..=5);
        let letters: Vec<u64> = (0..len).map(|_| random.u64(..1 << ATOMS)).collect();
        let start = random.usize(..len);
        let word = Lasso::new(letters.clone(), start);
        let long: Vec<u64> =
            (0..60).map(|i| letters[if i < len { i } else { start + (i - start) % (len - start) }]).collect();
        let bad = is_bad_prefix(&formula, &long);
        assert!(!bad || !word.fulfils(&formula), "{} of {word:?}", formula.show(&[]));
        if formula.is_safety() {
            safety += 1;
            assert_eq!(bad, !word.fulfils(&formula), "{} of {word:?}", formula.show(&[]));
        }
    }
    assert!(safety > 1_000, "{safety}");
}

/// The automata of another tool, where it is installed, for the same formulas: neither
/// accepts a word that the other's automaton of the negation accepts.
#[test]
fn automata_agree_with_those_of_spin() {
    if Command::new("spin").arg("-V").output().is_err() {
        println!("spin is not installed");
        return;
    }
    let mut random = Rng::with_seed(7);
    let count = std::env::var("SPIN_FORMULAS").ok().and_then(|n| n.parse().ok()).unwrap_or(300);
    let mut compared = 0;
    for _ in 0..count {
        let size = random.u32(1..=8);
        let formula = formula(&mut random, size);
        let Some(theirs) = spin(&formula) else { continue };
        compared += 1;
        let ours = automaton(&formula.clone().negated());
        assert!(is_disjoint(&theirs, &ours), "spin accepts what {} is not true of", formula.show(&[]));
        for _ in 0..20 {
            let word = word(&mut random);
            assert_eq!(word.is_accepted(&theirs), word.fulfils(&formula), "{}", formula.show(&[]));
        }
    }
    println!("{compared} of {count} formulas compared");
    assert!(compared * 10 >= count * 9, "{compared} of {count} formulas compared");
}

/// Whether no word is accepted by both.
fn is_disjoint(a: &Automaton, b: &Automaton) -> bool {
    // A third component waits for an accepting state of the first, then of the second.
    let number = |p: u32, q: u32, turn: u32| (p * b.len() as u32 + q) * 2 + turn;
    let mut edges = vec![Vec::new(); a.len() * b.len() * 2];
    let mut accepting = vec![false; edges.len()];
    for p in 0..a.len() as u32 {
        for q in 0..b.len() as u32 {
            for turn in 0..2 {
                let from = number(p, q, turn) as usize;
                accepting[from] = turn == 1 && b.accepting[q as usize];
                let moves = if turn == 0 { a.accepting[p as usize] } else { b.accepting[q as usize] };
                let next = if moves { 1 - turn } else { turn };
                for one in &a.edges[p as usize] {
                    for other in &b.edges[q as usize] {
                        if one.guard.and(other.guard).is_some() {
                            edges[from]
                                .push(Edge { guard: Guard::default(), to: number(one.to, other.to, next) });
                        }
                    }
                }
            }
        }
    }
    let product = Automaton { edges, accepting };
    !Lasso::new(vec![0], 0).is_accepted(&product)
}

/// The automaton of spin's never claim.
fn spin(formula: &Formula) -> Option<Automaton> {
    let text = spelled(formula);
    let output = Command::new("timeout").args(["2", "spin", "-f", &text]).output().ok()?;
    // It takes very long for some formulas.
    if !output.status.success() {
        return None;
    }
    let claim = String::from_utf8(output.stdout).ok()?;
    never_claim(&claim)
}

/// The formula as spin wants it.
fn spelled(formula: &Formula) -> String {
    use Formula::*;
    match formula {
        True => "true".into(),
        False => "false".into(),
        Atom(atom) => format!("p{atom}"),
        Not(a) => format!("!({})", spelled(a)),
        And(a, b) => format!("(({}) && ({}))", spelled(a), spelled(b)),
        Or(a, b) => format!("(({}) || ({}))", spelled(a), spelled(b)),
        Until(a, b) => format!("(({}) U ({}))", spelled(a), spelled(b)),
        Release(a, b) => format!("(({}) V ({}))", spelled(a), spelled(b)),
    }
}

/// Reads a never claim: labels with lists of `:: (guard) -> goto label`, or `skip`. A
/// state may have several labels.
fn never_claim(text: &str) -> Option<Automaton> {
    let mut states: Vec<Vec<String>> = Vec::new();
    let mut moves: Vec<Vec<(Vec<Guard>, String)>> = Vec::new();
    let mut after_label = false;
    for line in text.lines().map(str::trim) {
        if let Some(label) = line.strip_suffix(':') {
            if !after_label {
                states.push(Vec::new());
                moves.push(Vec::new());
            }
            states.last_mut()?.push(label.to_owned());
            after_label = true;
            continue;
        }
        after_label = false;
        if let Some(edge) = line.strip_prefix("::") {
            let (guard, label) = match edge.trim().strip_prefix("atomic {") {
                // A claim that is fulfilled whatever follows.
                Some(rest) => (rest.split_once("-> assert")?.0, "accept_all"),
                None => edge.split_once("-> goto")?,
            };
            moves.last_mut()?.push((guards(guard.trim())?, label.trim().to_owned()));
        } else if line == "skip" {
            let own = states.last()?[0].clone();
            moves.last_mut()?.push((vec![Guard::default()], own));
        }
    }
    // The first state is the initial one; an empty claim accepts nothing.
    if states.is_empty() {
        return Some(Automaton { edges: vec![Vec::new()], accepting: vec![false] });
    }
    let number = |label: &String| states.iter().position(|own| own.contains(label)).map(|n| n as u32);
    let mut edges = Vec::new();
    for own in &moves {
        let mut list = Vec::new();
        for (guards, label) in own {
            let to = number(label)?;
            list.extend(guards.iter().map(|guard| Edge { guard: *guard, to }));
        }
        edges.push(list);
    }
    let accepting = states.iter().map(|own| own.iter().any(|label| label.starts_with("accept"))).collect();
    Some(Automaton { edges, accepting })
}

/// The letters that fulfil a guard, such as `(!(p0)) && ((p1) || (p2))` or `(1)`.
fn guards(text: &str) -> Option<Vec<Guard>> {
    let parsed = ltl::parse(&text.replace("(1)", "(true)").replace("(0)", "(false)")).ok()?;
    let number = |atom: &String| atom.strip_prefix('p')?.parse().ok();
    let numbers: Vec<u32> = parsed.atoms.iter().map(number).collect::<Option<_>>()?;
    let formula = parsed.formula.renumbered(&numbers);
    let all = (1 << ATOMS) - 1;
    let fulfils = |letter: &u64| Lasso::new(vec![*letter], 0).fulfils(&formula);
    Some((0..=all).filter(fulfils).map(|letter| Guard { yes: letter, no: all & !letter }).collect())
}
