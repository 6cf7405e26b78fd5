//! Prints generated programs: `cargo run -p generate --example show -- SEED [GROUP,...]`.

use generate::{Group, Shape, sketch};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let seed = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(0);
    let names = arguments.next().unwrap_or_default();
    let named = |group: &Group| names.split(',').any(|name| name == format!("{group:?}"));
    let groups = Group::all().filter(named).collect();
    print!("{}", sketch(seed, &Shape { groups, ..Shape::default() }).observed());
}
