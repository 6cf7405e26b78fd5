//! Reads the header of a program: what is expected of it.

use machine::{Fairness, MemoryModel, Property};

/// What a program's first comment lines say.
#[derive(Debug, Default)]
pub struct Header {
    /// Expected verdicts.
    pub expects: Vec<Expect>,
    /// Expected verdicts of formulas.
    pub formulas: Vec<Formula>,
    /// Names of propositions.
    pub propositions: Vec<(String, String)>,
    /// The number of final states.
    pub final_states: Option<u64>,
    /// What is expected under weaker memory models.
    pub weak: Vec<Weak>,
    /// The number of executions that the optimal stateless search runs.
    pub executions: Option<u64>,
    /// Compiler flags.
    pub flags: Vec<String>,
    /// Further options of `threadproof check`.
    pub options: Vec<String>,
    /// Further source files, beside this one.
    pub with: Vec<String>,
    /// Whether its inputs have too many values to try them one by one: engines
    /// that do so must answer `unknown`.
    pub too_many_inputs: bool,
    /// Whether its loops run as often as inputs say: the engine `impact` proves what is
    /// safe, others may not come to an end.
    pub unbounded: bool,
    /// Whether the static analysis proves that there are no races.
    pub proven: bool,
    /// Whether the static analysis proves that no assertion fails.
    pub assertions_proven: bool,
    /// Whether a property is checked without taking for granted that no other
    /// fault happens.
    pub assumes_nothing: bool,
}

/// A formula of temporal logic, and what is expected of it.
#[derive(Clone, Debug)]
pub struct Formula {
    /// `safe`, `unsafe` or `unknown`.
    pub verdict: String,
    /// Which executions count.
    pub fairness: Fairness,
    /// The formula.
    pub text: String,
}

/// What is expected under a memory model.
#[derive(Clone, Debug)]
pub struct Weak {
    /// The model.
    pub model: MemoryModel,
    /// Expected verdicts.
    pub expects: Vec<Expect>,
    /// The number of final states.
    pub final_states: Option<u64>,
    /// The least number of fences that make the assertions hold.
    pub fences: Option<usize>,
}

/// One expected verdict.
#[derive(Clone, Debug)]
pub struct Expect {
    /// A property, or `default`.
    pub property: String,
    /// `safe`, `unsafe` or `unknown`.
    pub verdict: String,
}

impl Header {
    /// Reads the header of a program.
    pub fn parse(text: &str) -> Result<Header, String> {
        let mut header = Header::default();
        let comments = text.lines().map_while(|line| line.strip_prefix("//").or(line.strip_prefix(";")));
        for (number, line) in comments.enumerate() {
            let line = line.trim();
            match line.split_once(':') {
                _ if number == 0 && line.is_empty() => return Err("the first line says nothing".to_owned()),
                Some((key, value)) if number > 0 => header.item(key, value.trim(), line)?,
                _ => {}
            }
        }
        if header.expects.is_empty() && header.formulas.is_empty() {
            return Err("there is no `expect:` line".to_owned());
        }
        Ok(header)
    }

    /// What is expected of engines that try all inputs.
    pub fn enumerated(&self) -> impl Iterator<Item = Expect> + '_ {
        self.expects.iter().map(|expect| self.by_trying(expect))
    }

    /// What is expected of engines that try all inputs, where others have this verdict.
    pub fn by_trying(&self, expect: &Expect) -> Expect {
        match self.too_many_inputs || self.unbounded {
            true => Expect { verdict: "unknown".to_owned(), ..expect.clone() },
            false => expect.clone(),
        }
    }

    fn item(&mut self, key: &str, value: &str, line: &str) -> Result<(), String> {
        let words = || value.split_whitespace().map(str::to_owned);
        match key {
            "expect" => {
                for word in value.split_whitespace() {
                    self.expects.push(expect(word)?);
                }
            }
            "final-states" => {
                self.final_states = Some(value.parse().map_err(|_| format!("not a number: {line}"))?)
            }
            "executions" => {
                self.executions = Some(value.parse().map_err(|_| format!("not a number: {line}"))?)
            }
            "ltl" => self.formulas.push(formula(value)?),
            "ap" => {
                let (name, meaning) = value.split_once('=').ok_or_else(|| format!("no name: {line}"))?;
                self.propositions.push((name.trim().to_owned(), meaning.trim().to_owned()));
            }
            "tso" | "pso" => self.weak.push(weak(key, value)?),
            "flags" => self.flags.extend(words()),
            "options" => self.options.extend(words()),
            "with" => self.with.extend(words()),
            "assume" if value == "nothing" => self.assumes_nothing = true,
            "inputs" if value == "too many" => self.too_many_inputs = true,
            "loops" if value == "by inputs" => self.unbounded = true,
            "analysis" if value == "proves" => self.proven = true,
            "analysis" if value == "proves assert" => self.assertions_proven = true,
            "data-model" => self.options.push(format!("--data-model={value}")),
            // Prose may have colons, but not after a word that looks like a key.
            key if key.chars().all(|c| c.is_ascii_lowercase() || c == '-') => {
                return Err(format!("unknown item: {line}"));
            }
            _ => {}
        }
        Ok(())
    }
}

fn weak(model: &str, value: &str) -> Result<Weak, String> {
    let model = MemoryModel::from_name(model).ok_or_else(|| format!("no memory model: {model}"))?;
    let mut weak = Weak { model, expects: Vec::new(), final_states: None, fences: None };
    for word in value.split_whitespace() {
        let number = |count: &str| count.parse().map_err(|_| format!("not a number: {word}"));
        match word.split_once('=') {
            Some(("final-states", count)) => weak.final_states = Some(number(count)?),
            Some(("fences", count)) => weak.fences = Some(number(count)? as usize),
            _ => weak.expects.push(expect(word)?),
        }
    }
    Ok(weak)
}

/// `safe weak G (p -> F q)`.
fn formula(value: &str) -> Result<Formula, String> {
    let wrong = || format!("not of the form verdict fairness formula: {value}");
    let (verdict, rest) = value.split_once(' ').ok_or_else(wrong)?;
    let (fairness, text) = rest.trim().split_once(' ').ok_or_else(wrong)?;
    let fairness = Fairness::from_name(fairness).ok_or_else(wrong)?;
    if !["safe", "unsafe", "unknown"].contains(&verdict) {
        return Err(wrong());
    }
    Ok(Formula { verdict: verdict.to_owned(), fairness, text: text.trim().to_owned() })
}

fn expect(word: &str) -> Result<Expect, String> {
    let wrong = || format!("not of the form property=verdict: {word}");
    let (property, verdict) = word.split_once('=').ok_or_else(wrong)?;
    let known = property == "default" || Property::from_name(property).is_some();
    if !known || !["safe", "unsafe", "unknown"].contains(&verdict) {
        return Err(wrong());
    }
    Ok(Expect { property: property.to_owned(), verdict: verdict.to_owned() })
}

/// The lines of a text that are marked with a property: `//~ race`.
pub fn marks(text: &str, property: Property) -> Vec<u32> {
    let marked = |line: &str| {
        let mark = line.split_once("//~").map_or("", |(_, mark)| mark);
        mark.split(|c: char| c.is_whitespace() || c == ',').any(|word| word == property.name())
    };
    let numbered = text.lines().zip(1..);
    numbered.filter(|(line, _)| marked(line)).map(|(_, number)| number).collect()
}
