//! The demo: OpenCL C on every device of the platform, verified, with a picture.
fn main() {}
