//! What a device has on its server, and the lanes to it.
//!
//! Invariants: a lane is used by one thread at a time. A broken connection ends the calls on its
//! lanes. The next call opens another connection and continues the session. A session that the
//! server has ended is lost: each call fails until the device is created again.

use crate::lane::{Broken, Lane};
use crate::server::{Connection, Server};
use bytes::Bytes;
use muxcl_hal::HalError;
use muxcl_lock::{Mutex, Rank};
use muxcl_remote_protocol::{Call, Open, Outcome, Reply, VERSION, hal_error};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// After a failed attempt to connect, calls fail at once for this time.
const PAUSE: Duration = Duration::from_secs(1);

/// A session on a server.
pub(crate) struct Session {
    server: Arc<Server>,
    /// Number of the device on the server.
    device: u32,
    /// Number of the process that has the session.
    process: u32,
    state: Mutex<State>,
    /// Unread values of counters, by counter and index.
    counters: Mutex<BTreeMap<(u32, u32), u64>>,
}

#[derive(Default)]
struct State {
    /// The secret number of the session; empty before it begins.
    id: Bytes,
    /// Number of the connection, from 1.
    number: u64,
    connection: Option<Connection>,
    /// Lanes of the connection that no thread uses.
    idle: Vec<Lane>,
    /// What could not be freed while there was no connection.
    garbage: Vec<Call>,
    /// The server has ended the session.
    lost: bool,
    /// The last attempt to connect, and why it failed.
    failed: Option<(Instant, HalError)>,
}

impl Session {
    /// Begins a session.
    pub(crate) fn begin(server: Arc<Server>, device: u32) -> Result<Self, HalError> {
        let session = Self {
            server,
            device,
            process: muxcl_os::fork_generation(),
            state: Mutex::new(Rank::Hal, State::default()),
            counters: Mutex::new(Rank::Leaf, BTreeMap::new()),
        };
        session.with_lane(|_| Ok(()))?;
        Ok(session)
    }

    /// Runs `work` with a lane.
    pub(crate) fn with_lane<T>(
        &self,
        work: impl FnOnce(&mut Lane) -> Result<T, Broken>,
    ) -> Result<T, HalError> {
        let (mut lane, number) = self.take()?;
        let result = work(&mut lane);
        let mut state = self.state.lock();
        if state.number == number {
            match &result {
                Ok(_) => state.idle.push(lane),
                Err(_) => {
                    state.connection = None;
                    state.idle.clear();
                }
            }
        }
        result.map_err(|broken| self.server.unreachable(broken))
    }

    /// Makes a call `name` with one reply.
    pub(crate) fn call(&self, name: &'static str, call: Call) -> Result<Outcome, HalError> {
        let reply = self.with_lane(|lane| lane.call(call))?;
        self.keep_counters(&reply);
        self.outcome(name, reply)
    }

    /// Makes a call that frees something. Without a connection, it is made after the next one.
    pub(crate) fn free(&self, name: &'static str, call: Call) -> Result<(), HalError> {
        match self.call(name, call.clone()) {
            Err(HalError::Unreachable(_)) => {
                self.state.lock().garbage.push(call);
                Ok(())
            }
            result => result.map(drop),
        }
    }

    pub(crate) fn outcome(&self, name: &'static str, reply: Reply) -> Result<Outcome, HalError> {
        match reply.outcome {
            Some(Outcome::Failure(failure)) => Err(hal_error(name, failure)),
            Some(outcome) => Ok(outcome),
            None => Err(self.violated()),
        }
    }

    /// The error for a server that does not follow the protocol.
    pub(crate) fn violated(&self) -> HalError {
        self.server.unreachable("the server does not follow the protocol")
    }

    pub(crate) fn unreachable(&self, reason: &Broken) -> HalError {
        self.server.unreachable(reason)
    }

    /// A lane that no other thread uses, with the number of its connection.
    fn take(&self) -> Result<(Lane, u64), HalError> {
        if muxcl_os::fork_generation() != self.process {
            return Err(self.server.unreachable("the connection is that of the parent process"));
        }
        let mut state = self.state.lock();
        if state.lost {
            return Err(HalError::NoSession);
        }
        let mut lane = match state.idle.pop() {
            Some(lane) => lane,
            None => self.open(&mut state)?,
        };
        while let Some(call) = state.garbage.pop() {
            // The server may have made the call before the connection broke: any answer is right.
            lane.call(call).map_err(|broken| self.server.unreachable(broken))?;
        }
        Ok((lane, state.number))
    }

    /// Opens a lane, on a new connection if there is none.
    fn open(&self, state: &mut State) -> Result<Lane, HalError> {
        if let Some((when, error)) = &state.failed
            && when.elapsed() < PAUSE
        {
            return Err(error.clone());
        }
        let opened = self.try_open(state);
        state.failed = None;
        match &opened {
            Err(HalError::NoSession) => state.lost = true,
            Err(error @ HalError::Unreachable(_)) => {
                state.connection = None;
                state.idle.clear();
                state.failed = Some((Instant::now(), error.clone()));
            }
            _ => {}
        }
        opened
    }

    fn try_open(&self, state: &mut State) -> Result<Lane, HalError> {
        let connection = match &state.connection {
            Some(connection) => connection.clone(),
            None => {
                let connection = self.server.connect()?;
                state.number += 1;
                state.connection.insert(connection).clone()
            }
        };
        let mut lane =
            Lane::start(&connection).map_err(|broken| self.server.unreachable(broken))?;
        let open = Call::Open(Open {
            version: VERSION,
            device: self.device,
            session: state.id.clone(),
            connection: state.number,
        });
        let reply = lane.call(open).map_err(|broken| self.server.unreachable(broken))?;
        match self.outcome("device_create", reply)? {
            Outcome::Session(id) => state.id = id,
            _ => return Err(self.violated()),
        }
        Ok(lane)
    }

    /// Keeps the values of counters in a reply.
    pub(crate) fn keep_counters(&self, reply: &Reply) {
        if !reply.counters.is_empty() {
            let mut counters = self.counters.lock();
            counters.extend(reply.counters.iter().map(|c| ((c.counter, c.index), c.value)));
        }
    }

    /// Takes the value of a counter.
    pub(crate) fn take_counter(&self, counter: u32, index: u32) -> Option<u64> {
        self.counters.lock().remove(&(counter, index))
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let connected = {
            let state = self.state.lock();
            state.connection.is_some() && muxcl_os::fork_generation() == self.process
        };
        if connected && let Err(error) = self.call("device_delete", Call::Close(())) {
            tracing::info!(target: "hal", "the end of a session: {error}");
        }
        if muxcl_os::fork_generation() != self.process {
            // The sockets are those of the parent.
            std::mem::forget(std::mem::take(&mut *self.state.lock()));
        }
    }
}
