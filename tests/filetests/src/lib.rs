//! File tests of the passes: input, directives, golden output.
