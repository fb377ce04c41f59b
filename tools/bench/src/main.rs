//! Benches, side by side with other installed drivers.
fn main() {}
