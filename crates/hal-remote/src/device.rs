//! The calls of the HAL's interface. Invariant: a program is sent to a server only if the server
//! does not have it.

use crate::server::Server;
use crate::session::Session;
use bytes::Bytes;
use muxcl_hal::{Argument, Call, Device, HalError, Kernel, NdRange, Program};
use muxcl_remote_protocol as protocol;
use muxcl_remote_protocol::{Alloc, Find, Load, Outcome, PIECE};
use std::ffi::CStr;
use std::sync::Arc;

/// A device of a server.
pub(crate) struct RemoteDevice {
    session: Session,
}

impl RemoteDevice {
    pub(crate) fn create(server: Arc<Server>, index: u32) -> Result<Self, HalError> {
        Ok(Self { session: Session::begin(server, index)? })
    }

    /// Makes a call whose answer is a number other than 0.
    fn number(&self, name: &'static str, call: protocol::Call) -> Result<u64, HalError> {
        match self.session.call(name, call)? {
            Outcome::Value(number) if number != 0 => Ok(number),
            _ => Err(self.session.violated()),
        }
    }

    /// Makes one call of [`Device::run`].
    fn one(&self, call: Call<'_>) -> Result<(), HalError> {
        let mut outcome = Err(HalError::Failed(call.name()));
        self.run(&mut [call], &mut |_, result| outcome = result);
        outcome
    }
}

impl Device for RemoteDevice {
    fn alloc(&self, size: u64, alignment: u64) -> Result<u64, HalError> {
        let call = protocol::Call::Alloc(Alloc { size, alignment });
        self.number("mem_alloc", call).map_err(|error| match error {
            HalError::OutOfMemory { .. } => HalError::OutOfMemory { size, alignment },
            other => other,
        })
    }

    fn free(&self, address: u64) -> Result<(), HalError> {
        self.session.free("mem_free", protocol::Call::Free(address))
    }

    fn read(&self, from: u64, into: &mut [u8]) -> Result<(), HalError> {
        self.one(Call::Read { from, into })
    }

    fn write(&self, to: u64, from: &[u8]) -> Result<(), HalError> {
        self.one(Call::Write { to, from })
    }

    fn copy(&self, to: u64, from: u64, size: u64) -> Result<(), HalError> {
        self.one(Call::Copy { to, from, size })
    }

    fn fill(&self, to: u64, pattern: &[u8], size: u64) -> Result<(), HalError> {
        self.one(Call::Fill { to, pattern, size })
    }

    fn load(&self, elf: &[u8]) -> Result<Program, HalError> {
        let hash = Bytes::copy_from_slice(blake3::hash(elf).as_bytes());
        let load = |follows| {
            let hash = hash.clone();
            protocol::Call::Load(Load { hash, size: elf.len() as u64, follows })
        };
        let name = "program_load";
        let mut outcome = self.session.call(name, load(false))?;
        if matches!(outcome, Outcome::Nothing(())) {
            let reply = self.session.with_lane(|lane| {
                lane.send(load(true))?;
                for piece in elf.chunks(PIECE) {
                    lane.send(protocol::Call::Data(Bytes::copy_from_slice(piece)))?;
                }
                lane.receive()
            })?;
            outcome = self.session.outcome(name, reply)?;
        }
        match outcome {
            Outcome::Value(program) if program != 0 => Ok(Program(program)),
            _ => Err(self.session.violated()),
        }
    }

    fn find(&self, program: Program, name: &CStr) -> Result<Kernel, HalError> {
        let name = Bytes::copy_from_slice(name.to_bytes());
        let call = protocol::Call::Find(Find { program: program.0, name });
        self.number("program_find_kernel", call).map(Kernel)
    }

    fn execute(
        &self,
        program: Program,
        kernel: Kernel,
        range: &NdRange,
        arguments: &[Argument<'_>],
        dimensions: u32,
    ) -> Result<(), HalError> {
        self.one(Call::Execute { program, kernel, range: *range, arguments, dimensions })
    }

    fn unload(&self, program: Program) -> Result<(), HalError> {
        self.session.free("program_free", protocol::Call::Unload(program.0))
    }

    fn run(&self, calls: &mut [Call<'_>], ended: &mut dyn FnMut(usize, Result<(), HalError>)) {
        let count = calls.len();
        let mut began = false;
        let result = self.session.with_lane(|lane| {
            began = true;
            let keep = &mut |reply: &protocol::Reply| self.session.keep_counters(reply);
            lane.run(calls, keep, ended, &|reason| self.session.unreachable(reason))
        });
        if let (Err(error), false) = (result, began) {
            (0..count).for_each(|number| ended(number, Err(error.clone())));
        }
    }

    fn read_counter(&self, counter: u32, index: u32) -> Option<u64> {
        self.session.take_counter(counter, index)
    }

    fn begin_profile(&self) -> bool {
        let begun = self.session.call("hal_profile_begin", protocol::Call::BeginProfile(()));
        matches!(begun, Ok(Outcome::Done(())))
    }

    fn profile(&self) -> Option<String> {
        let text = self.session.with_lane(|lane| {
            lane.send(protocol::Call::Profile(()))?;
            let mut text = Vec::new();
            loop {
                match lane.receive()?.outcome {
                    Some(Outcome::Data(piece)) => text.extend_from_slice(&piece),
                    Some(Outcome::Done(())) => return Ok(Some(text)),
                    _ => return Ok(None),
                }
            }
        });
        text.ok().flatten().map(|text| String::from_utf8_lossy(&text).into_owned())
    }

    fn enable_counters(&self, enable: bool) {
        let call = protocol::Call::Counters(enable);
        if let Err(error) = self.session.call("counter_set_enabled", call) {
            tracing::warn!(target: "hal", "{error}");
        }
    }
}
