//! Tests of the RefSi devices: one program, so that what they share is compiled once.

mod common;
mod device;
