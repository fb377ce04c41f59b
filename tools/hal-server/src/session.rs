//! A session: the memory and the programs of one client on one device, and the client's calls.
//!
//! Invariants: calls of one lane take effect in order. Memory is read, written, copied and filled
//! only inside allocations of the session, and only its programs are run. A program is not unloaded
//! while one of its kernels runs. Not here: how messages travel.

use crate::device::{Class, DeviceUse};
use crate::programs::{Hash, Programs};
use bytes::Bytes;
use muxcl_hal::counters::CounterDescription;
use muxcl_hal::{Device, HalError, Kernel, Program};
use muxcl_lock::{Mutex, Rank, RwLock};
use muxcl_remote_protocol::{
    Call, CounterValue, Execute, Find, Load, MOST_PROGRAM, Outcome, PIECE, Range, Reply, failure,
};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::CString;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The client's end of a lane.
pub trait Peer {
    /// The next call; `None` after the last one, or if the client is gone.
    fn next(&mut self) -> Option<Call>;
    /// Sends a reply. Returns false if the client is gone.
    fn send(&mut self, reply: Reply) -> bool;
}

/// Why a lane ends.
#[derive(Debug, PartialEq, Eq)]
struct Gone;

/// A client's objects on a device.
#[derive(Debug)]
pub(crate) struct Session {
    device: DeviceUse,
    counters: Vec<CounterDescription>,
    files: Arc<Programs>,
    /// Calls share this lock; the end of the session has it alone.
    calls: RwLock<()>,
    objects: Mutex<Objects>,
    counting: AtomicBool,
}

#[derive(Debug, Default)]
struct Objects {
    ended: bool,
    /// Sizes of allocations in bytes, by address.
    memory: BTreeMap<u64, u64>,
    /// Kernels of programs, by the program's handle.
    programs: BTreeMap<u64, Arc<Mutex<BTreeSet<u64>>>>,
}

impl Objects {
    /// Checks that a range lies in one allocation.
    fn check(&self, address: u64, size: u64) -> Result<(), HalError> {
        let before = self.memory.range(..=address).next_back();
        let inside = before.is_some_and(|(start, length)| {
            let end = address.checked_add(size);
            end.is_some_and(|end| end <= start.saturating_add(*length))
        });
        if inside || size == 0 { Ok(()) } else { Err(HalError::Argument("memory of this session")) }
    }
}

impl Session {
    pub(crate) fn new(
        device: DeviceUse,
        counters: Vec<CounterDescription>,
        files: Arc<Programs>,
    ) -> Self {
        Self {
            device,
            counters,
            files,
            calls: RwLock::new(Rank::Program, ()),
            objects: Mutex::new(Rank::Leaf, Objects::default()),
            counting: AtomicBool::new(false),
        }
    }

    /// Answers the calls of a lane until its end. Returns true if the client has ended the session.
    pub(crate) fn serve(&self, peer: &mut dyn Peer) -> bool {
        while let Some(call) = peer.next() {
            let closes = matches!(call, Call::Close(()));
            if self.answer(call, peer).is_err() {
                return false;
            }
            if closes {
                return true;
            }
        }
        false
    }

    fn answer(&self, call: Call, peer: &mut dyn Peer) -> Result<(), Gone> {
        let mut counters = Vec::new();
        let outcome = match call {
            // The call to which these bytes belong has failed.
            Call::Data(_) => return Ok(()),
            Call::Write(range) => return self.write(range, peer),
            Call::Load(load) => match self.load(&load, peer)? {
                Ok(Some(program)) => Ok(Outcome::Value(program)),
                Ok(None) => Ok(Outcome::Nothing(())),
                Err(error) => Err(error),
            },
            Call::Read(range) => return self.read(range, peer),
            Call::Profile(()) => return self.profile(peer),
            Call::Close(()) => {
                self.end();
                Ok(Outcome::Done(()))
            }
            call => self.call(call, &mut counters),
        };
        let outcome = outcome.unwrap_or_else(|error| Outcome::Failure(failure(&error)));
        reply(peer, outcome, counters)
    }

    /// Runs a call with one message and one reply.
    fn call(&self, call: Call, counters: &mut Vec<CounterValue>) -> Result<Outcome, HalError> {
        let _running = self.calls.read();
        if self.objects.lock().ended {
            return Err(HalError::NoSession);
        }
        let done = |()| Outcome::Done(());
        match call {
            Call::Alloc(alloc) => {
                if !alloc.alignment.is_power_of_two() {
                    return Err(HalError::Argument("an alignment that is a power of two"));
                }
                let address =
                    self.device(counters, |device| device.alloc(alloc.size, alloc.alignment))?;
                self.objects.lock().memory.insert(address, alloc.size);
                Ok(Outcome::Value(address))
            }
            Call::Free(address) => {
                // Taken out first: another session may get the address as soon as it is free.
                let size = self.objects.lock().memory.remove(&address);
                let size = size.ok_or(HalError::Argument("memory of this session"))?;
                let freed = self.device(counters, |device| device.free(address));
                freed.map(done).inspect_err(|_| {
                    self.objects.lock().memory.insert(address, size);
                })
            }
            Call::Copy(copy) => {
                self.check(copy.to, copy.size)?;
                self.check(copy.from, copy.size)?;
                let work = |device: &dyn Device| device.copy(copy.to, copy.from, copy.size);
                self.device(counters, work).map(done)
            }
            Call::Fill(fill) => {
                self.check(fill.to, fill.size)?;
                let work = |device: &dyn Device| device.fill(fill.to, &fill.pattern, fill.size);
                self.device(counters, work).map(done)
            }
            Call::Find(find) => self.find(&find, counters).map(Outcome::Value),
            Call::Execute(execute) => self.execute(&execute, counters).map(done),
            Call::Unload(program) => self.unload(program, counters).map(done),
            Call::Counters(enable) => {
                let enabled = self.device.call(Class::Other, true, |device| {
                    device.enable_counters(enable);
                    Ok(())
                });
                self.counting.store(enable, Ordering::Relaxed);
                enabled.map(done)
            }
            Call::BeginProfile(()) if !self.device.first => Ok(Outcome::Nothing(())),
            Call::BeginProfile(()) => {
                let begun = self.device(counters, |device| Ok(device.begin_profile()))?;
                Ok(if begun { Outcome::Done(()) } else { Outcome::Nothing(()) })
            }
            _ => Err(HalError::Argument("a call that this server knows")),
        }
    }

    fn check(&self, address: u64, size: u64) -> Result<(), HalError> {
        self.objects.lock().check(address, size)
    }

    /// Calls the device. Adds the values of counters that the call has set to `counters`.
    fn device<T>(
        &self,
        counters: &mut Vec<CounterValue>,
        work: impl FnOnce(&dyn Device) -> Result<T, HalError>,
    ) -> Result<T, HalError> {
        self.device_as(Class::Other, counters, work)
    }

    fn device_as<T>(
        &self,
        class: Class,
        counters: &mut Vec<CounterValue>,
        work: impl FnOnce(&dyn Device) -> Result<T, HalError>,
    ) -> Result<T, HalError> {
        let counting = self.counting.load(Ordering::Relaxed);
        self.device.call(class, counting, |device| {
            let result = work(device);
            if counting {
                let values = muxcl_hal::profiler::read(device, &self.counters);
                for (counter, values) in self.counters.iter().zip(values) {
                    counters.extend(values.into_iter().map(|(index, value)| CounterValue {
                        counter: counter.id,
                        index,
                        value,
                    }));
                }
            }
            result
        })
    }

    fn write(&self, range: Range, peer: &mut dyn Peer) -> Result<(), Gone> {
        let mut counters = Vec::new();
        let mut result = self.check(range.address, range.size);
        let mut to = range.address;
        receive(range.size, peer, &mut |piece| {
            let _running = self.calls.read();
            if result.is_ok() {
                // The client may have freed the memory meanwhile.
                result = self.check(to, piece.len() as u64);
            }
            if result.is_ok() {
                counters.clear();
                result = self.device(&mut counters, |device| device.write(to, piece));
            }
            to = to.wrapping_add(piece.len() as u64);
        })?;
        reply(peer, done_or_failed(result), counters)
    }

    fn read(&self, range: Range, peer: &mut dyn Peer) -> Result<(), Gone> {
        let mut counters = Vec::new();
        let (mut from, mut left) = (range.address, range.size);
        let mut result = self.check(from, left);
        while result.is_ok() && left != 0 {
            let mut piece = vec![0; usize::try_from(left).unwrap_or(PIECE).min(PIECE)];
            {
                let _running = self.calls.read();
                result = self.check(from, piece.len() as u64).and_then(|()| {
                    counters.clear();
                    self.device(&mut counters, |device| device.read(from, &mut piece))
                });
            }
            if result.is_ok() {
                from += piece.len() as u64;
                left -= piece.len() as u64;
                reply(peer, Outcome::Data(Bytes::from(piece)), Vec::new())?;
            }
        }
        reply(peer, done_or_failed(result), counters)
    }

    /// Loads a program. `None` if the client has to send the file.
    fn load(
        &self,
        load: &Load,
        peer: &mut dyn Peer,
    ) -> Result<Result<Option<u64>, HalError>, Gone> {
        let file = match self.file(load, peer)? {
            Ok(Some(file)) => file,
            Ok(None) => return Ok(Ok(None)),
            Err(error) => return Ok(Err(error)),
        };
        let _running = self.calls.read();
        if self.objects.lock().ended {
            return Ok(Err(HalError::NoSession));
        }
        Ok(self.device(&mut Vec::new(), |device| device.load(&file)).map(|program| {
            let kernels = Arc::new(Mutex::new(Rank::Leaf, BTreeSet::new()));
            self.objects.lock().programs.insert(program.0, kernels);
            Some(program.0)
        }))
    }

    /// The file of a program: one that the server has, or that follows.
    #[expect(clippy::type_complexity, reason = "the end of the lane, an error, or no file")]
    fn file(
        &self,
        load: &Load,
        peer: &mut dyn Peer,
    ) -> Result<Result<Option<Arc<[u8]>>, HalError>, Gone> {
        let hash: Result<Hash, _> = load.hash.as_ref().try_into();
        let Ok(hash) = hash else {
            return Ok(Err(HalError::Argument("a hash of 32 bytes")));
        };
        if !load.follows {
            return Ok(Ok(self.files.find(&hash)));
        }
        let mut bytes = Vec::new();
        let fits = load.size <= MOST_PROGRAM;
        receive(load.size, peer, &mut |piece| {
            if fits {
                bytes.extend_from_slice(piece);
            }
        })?;
        if !fits {
            return Ok(Err(HalError::Argument("a program of at most 1 GiB")));
        }
        if blake3::hash(&bytes) != hash {
            return Ok(Err(HalError::Argument("the hash of the program")));
        }
        let file: Arc<[u8]> = Arc::from(bytes);
        self.files.keep(hash, Arc::clone(&file));
        Ok(Ok(Some(file)))
    }

    /// A program of the session. It is not unloaded while the result exists.
    fn program(&self, handle: u64) -> Result<Arc<Mutex<BTreeSet<u64>>>, HalError> {
        let objects = self.objects.lock();
        let program = objects.programs.get(&handle).map(Arc::clone);
        program.ok_or(HalError::Argument("a program of this session"))
    }

    fn find(&self, find: &Find, counters: &mut Vec<CounterValue>) -> Result<u64, HalError> {
        let program = self.program(find.program)?;
        let name = CString::new(&*find.name)
            .map_err(|_| HalError::Argument("the name of a kernel without a NUL"))?;
        let kernel = self.device(counters, |device| device.find(Program(find.program), &name))?;
        program.lock().insert(kernel.0);
        Ok(kernel.0)
    }

    fn execute(&self, execute: &Execute, counters: &mut Vec<CounterValue>) -> Result<(), HalError> {
        let launch = execute.launch()?;
        let program = self.program(execute.program)?;
        let Kernel(kernel) = launch.kernel;
        if !program.lock().contains(&kernel) {
            return Err(HalError::Argument("a kernel of the program"));
        }
        self.device_as(Class::Kernel, counters, |device| {
            let (range, arguments) = (&launch.range, &launch.arguments);
            device.execute(launch.program, launch.kernel, range, arguments, launch.dimensions)
        })
    }

    fn unload(&self, handle: u64, counters: &mut Vec<CounterValue>) -> Result<(), HalError> {
        {
            let mut objects = self.objects.lock();
            match objects.programs.remove(&handle) {
                None => return Err(HalError::Argument("a program of this session")),
                Some(program) if Arc::strong_count(&program) != 1 => {
                    objects.programs.insert(handle, program);
                    return Err(HalError::Argument("a program that does not run"));
                }
                Some(_) => {}
            }
        }
        self.device(counters, |device| device.unload(Program(handle)))
    }

    fn profile(&self, peer: &mut dyn Peer) -> Result<(), Gone> {
        let text = match self.device.first {
            // The device's profile belongs to the session that opened it.
            false => Ok(None),
            true => self.device(&mut Vec::new(), |device| Ok(device.profile())),
        };
        let outcome = match text {
            Ok(Some(text)) => {
                let text = Bytes::from(text);
                for at in (0..text.len()).step_by(PIECE) {
                    let piece = text.slice(at..text.len().min(at + PIECE));
                    reply(peer, Outcome::Data(piece), Vec::new())?;
                }
                Outcome::Done(())
            }
            Ok(None) => Outcome::Nothing(()),
            Err(error) => Outcome::Failure(failure(&error)),
        };
        reply(peer, outcome, Vec::new())
    }

    /// Waits for the session's running calls, and frees its memory and programs. Later calls fail.
    pub(crate) fn end(&self) {
        let _alone = self.calls.write();
        let objects = {
            let mut objects = self.objects.lock();
            std::mem::replace(&mut *objects, Objects { ended: true, ..Objects::default() })
        };
        let freed = self.device.call(Class::Other, false, |device| {
            let programs = objects.programs.keys().map(|program| device.unload(Program(*program)));
            let memory = objects.memory.keys().map(|address| device.free(*address));
            // All of them, whatever fails.
            programs.chain(memory).fold(Ok(()), Result::and)
        });
        if let Err(error) = freed {
            tracing::warn!(target: "hal", "the end of a session: {error}");
        }
    }

    /// Number of allocations and programs.
    pub(crate) fn objects(&self) -> usize {
        let objects = self.objects.lock();
        objects.memory.len() + objects.programs.len()
    }
}

fn done_or_failed(result: Result<(), HalError>) -> Outcome {
    match result {
        Ok(()) => Outcome::Done(()),
        Err(error) => Outcome::Failure(failure(&error)),
    }
}

fn reply(peer: &mut dyn Peer, outcome: Outcome, counters: Vec<CounterValue>) -> Result<(), Gone> {
    if peer.send(Reply { outcome: Some(outcome), counters }) { Ok(()) } else { Err(Gone) }
}

/// Takes `size` bytes that follow a call. A lane in which another call follows, or more bytes, ends
/// here.
fn receive(size: u64, peer: &mut dyn Peer, piece: &mut dyn FnMut(&[u8])) -> Result<(), Gone> {
    let mut left = size;
    while left != 0 {
        let Some(Call::Data(bytes)) = peer.next() else { return Err(Gone) };
        let length = bytes.len() as u64;
        if length == 0 || length > left || bytes.len() > PIECE {
            return Err(Gone);
        }
        piece(&bytes);
        left -= length;
    }
    Ok(())
}
