//! Serves the devices of a HAL to clients on other machines, for the program `muxcl-hal-server`.
//! `docs/remote.md` describes its use.
//!
//! * `device`: a device of the HAL, which all its sessions share.
//! * `programs`: the ELF files that clients have sent, by hash.
//! * `session`: the memory and programs of one client on one device, and its calls.
//! * `server`: the sessions of all devices.
//! * `service`: the HTTP/2 connections, and a thread for each lane.
//! * `keys`: makes the files that give access.
//!
//! Invariants: a client reaches only memory and programs of its own session, except by the code of
//! its kernels. What a client sends is checked, and ends at most its own session. When a session
//! ends, all that it has is freed. A client that does not answer delays no other one.

mod device;
pub mod keys;
mod programs;
mod server;
mod service;
mod session;

pub use server::{Server, SessionUse};
pub use service::{Listener, serve};
pub use session::Peer;
