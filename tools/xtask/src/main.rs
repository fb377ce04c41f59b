//! The project's commands: demo, test, dist, install, bench, conformance, tidy.
fn main() {}
