//! A name for a location that another run finds again.

use logic::{Op, Term, Terms};
use machine::{Machine, Sym};
use symbolic::Location;
use trace::content_hash;

/// The name of a location: a hash of its form, in which variables stand by their names
/// and not by the numbers that they have in one run.
///
/// It is a name and no proof: two locations may have the same one.
pub fn name(location: &Location, machine: &Machine, terms: &Terms) -> String {
    let mut state = location.state().clone();
    let stable = |symbol: Sym| Sym(short_hash(terms, Term::from_number(symbol.0)));
    machine.rename_unknown(&mut state, |_, symbol, _| stable(symbol));
    machine.rename_open(
        &mut state,
        |_, value, _| if value.is_symbolic() { stable(value.sym) } else { value.sym },
    );
    let mut form = Vec::new();
    machine.canonical(&state, &mut form);
    content_hash(&form)[..16].to_owned()
}

/// A hash of a term that is the same in every run; never 0.
fn short_hash(terms: &Terms, term: Term) -> u32 {
    let hash = content_hash(text(terms, term).as_bytes());
    u32::from_str_radix(&hash[..8], 16).unwrap_or(0) | 1
}

fn text(terms: &Terms, term: Term) -> String {
    let node = terms.node(term);
    match node.op {
        Op::Var | Op::Array => format!("{}:{}", terms.name(term), node.width),
        Op::Const => format!("{}:{}", terms.constant_value(term).unwrap_or(0), node.width),
        op => {
            let args: Vec<String> = node.args().iter().map(|arg| text(terms, *arg)).collect();
            format!("{op:?}:{}:{}({})", node.width, node.low, args.join(","))
        }
    }
}
