//! Prints the program with the seed that is given as argument.

fn main() {
    let seed = std::env::args().nth(1).and_then(|s| s.parse().ok()).unwrap_or(0);
    print!("{}", generate::generate(seed, &generate::Shape::default()));
}
