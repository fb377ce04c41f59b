//! Random calls with random handles: live, released, of another type, of another context, and
//! invalid ones. No call may crash or hang, and each result is success or an error code of the
//! specification.
//!
//! Calls respect the duties of an application: memory that it passes exists (`ARENA`), its sizes
//! are correct, and a blocking call follows the completion of the user events that it could wait
//! for. Everything else is random. The numbers come from a generator (tests) or from bytes
//! (fuzzing). A run repeats exactly with its seed or its bytes, except for the interleaving of
//! threads.

#![allow(
    clippy::wildcard_imports,
    reason = "the names of the OpenCL headers, of which nearly all are used"
)]

mod command;
mod create;
mod image;
mod query;
mod shared;

use std::ffi::c_void;

use muxcl_cl_sys::*;
use once_cell::sync::OnceCell;

use crate::{cl, setup};

/// Maximum number of handles kept. Older ones are dropped at random, released or not.
const HANDLES: usize = 300;
/// Size of the application's memory in bytes.
const ARENA: usize = 4 << 20;
/// Maximum bytes of a transfer, and of a buffer with the application's memory behind it.
const LARGEST: usize = 64 << 10;
/// Assumed upper bound of the references that a run takes of one object.
const MOST_REFERENCES: usize = 1000;
/// The last error code of the core specification.
const LAST_CODE: cl_int = -72;

/// The source of random numbers.
#[derive(Debug)]
pub enum Numbers<'a> {
    /// A generator with a seed.
    Seed(fastrand::Rng),
    /// Given bytes, followed by zeros.
    Bytes(&'a [u8]),
}

impl Numbers<'_> {
    fn next(&mut self, bound: usize) -> usize {
        let value = match self {
            Self::Seed(random) => return random.usize(..bound),
            Self::Bytes(bytes) => {
                // Use few bytes for small bounds, so that short inputs make many calls.
                let width = if bound <= 256 { 1 } else { 4 };
                let (head, rest) = bytes.split_at(width.min(bytes.len()));
                *bytes = rest;
                head.iter().fold(0, |value, byte| value << 8 | u64::from(*byte))
            }
        };
        usize::try_from(value % bound as u64).unwrap()
    }

    /// True if all bytes are consumed.
    #[must_use]
    pub fn is_over(&self) -> bool {
        matches!(self, Self::Bytes([]))
    }
}

/// The type of a handle's object.
trait Handle {
    const KIND: u8;
}

macro_rules! kinds {
    ($($type:ident = $kind:literal)*) => {
        $(impl Handle for $type { const KIND: u8 = $kind; })*
    };
}

kinds! {
    _cl_platform_id = 0
    _cl_device_id = 1
    _cl_context = 2
    _cl_command_queue = 3
    _cl_mem = 4
    _cl_program = 5
    _cl_kernel = 6
    _cl_event = 7
    _cl_sampler = 8
    _cl_semaphore_khr = 9
}

/// A region that this run believes to be mapped.
#[derive(Clone, Copy, Debug)]
struct Mapped {
    mem: cl_mem,
    at: *mut c_void,
}

/// Memory from `clSVMAlloc` or from the extension.
#[derive(Clone, Copy, Debug)]
struct Allocation {
    context: cl_context,
    at: *mut c_void,
    unified: bool,
}

/// A run of random calls.
#[derive(Debug)]
pub struct ApiFuzz<'a> {
    /// Where its numbers come from.
    pub numbers: Numbers<'a>,
    handles: Vec<(u8, usize)>,
    /// All objects ever created, for release at the end.
    made: Vec<(u8, usize)>,
    /// User events that are not complete.
    gates: Vec<cl_event>,
    mapped: Vec<Mapped>,
    allocations: Vec<Allocation>,
    program: ProgramText<'a>,
    /// Calls that succeeded.
    pub succeeded: usize,
    /// Calls that were refused.
    pub failed: usize,
}

/// The program to create: kernels `empty()` and `two(global int *, float4)`, which touch no memory.
#[derive(Clone, Copy, Debug)]
pub enum ProgramText<'a> {
    /// For devices without a compiler.
    Binary(&'a [u8]),
    /// OpenCL C.
    Source(&'a std::ffi::CStr),
}

impl<'a> ApiFuzz<'a> {
    /// A run on the devices of [`setup`].
    #[must_use]
    pub fn new(numbers: Numbers<'a>, program: ProgramText<'a>) -> Self {
        let mut api_fuzz = Self {
            numbers,
            handles: Vec::new(),
            made: Vec::new(),
            gates: Vec::new(),
            mapped: Vec::new(),
            allocations: Vec::new(),
            program,
            succeeded: 0,
            failed: 0,
        };
        let s = setup();
        api_fuzz.keep(s.platform());
        for device in [s.device(), s.other_device(), s.apart(), s.coarse()[0]] {
            api_fuzz.keep(device);
        }
        api_fuzz
    }

    /// Makes one call, or a few that belong together.
    pub fn step(&mut self) {
        // The platform and the devices always exist; a new context of them is created now and then.
        if self.next(50) == 0 {
            let s = setup();
            let device = [s.device(), s.other_device(), s.apart(), s.coarse()[0]][self.next(4)];
            self.keep(device);
            self.fresh_context();
        }
        match self.next(16) {
            0..4 => self.create(),
            4 => self.create_image(),
            5..7 => self.retain_or_release(),
            7..9 => self.query(),
            9..12 => self.command(),
            12 => self.image_command(),
            13 => self.shared_memory(),
            14 => self.argument(),
            _ => self.callback(),
        }
    }

    /// Completes everything that is pending, and releases all objects.
    pub fn finish(&mut self) {
        self.open_gates();
        for (kind, address) in std::mem::take(&mut self.made) {
            let handle: *mut c_void = std::ptr::with_exposed_provenance_mut(address);
            if kind == _cl_command_queue::KIND {
                self.count(cl!(clFinish(handle.cast())));
            }
            // Release every reference. A root device stays alive.
            for _ in 0..MOST_REFERENCES {
                let code = match kind {
                    _cl_device_id::KIND => cl!(clReleaseDevice(handle.cast())),
                    _cl_context::KIND => cl!(clReleaseContext(handle.cast())),
                    _cl_command_queue::KIND => cl!(clReleaseCommandQueue(handle.cast())),
                    _cl_mem::KIND => cl!(clReleaseMemObject(handle.cast())),
                    _cl_program::KIND => cl!(clReleaseProgram(handle.cast())),
                    _cl_kernel::KIND => cl!(clReleaseKernel(handle.cast())),
                    _cl_event::KIND => cl!(clReleaseEvent(handle.cast())),
                    _cl_sampler::KIND => cl!(clReleaseSampler(handle.cast())),
                    _ => cl!(clReleaseSemaphoreKHR(handle.cast())),
                };
                self.count(code);
                if code != CL_SUCCESS {
                    break;
                }
            }
        }
        while !self.allocations.is_empty() {
            self.free();
        }
    }

    fn next(&mut self, bound: usize) -> usize {
        self.numbers.next(bound)
    }

    fn chance(&mut self, of: usize) -> bool {
        self.next(of) == 0
    }

    fn word(&mut self, bound: usize) -> u32 {
        u32::try_from(self.next(bound)).unwrap()
    }

    fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.next(list.len())]
    }

    /// A number that is likely to be the last valid or the first invalid one.
    fn size(&mut self) -> usize {
        const SIZES: [usize; 24] = [
            0,
            1,
            2,
            3,
            4,
            7,
            8,
            16,
            63,
            64,
            100,
            128,
            255,
            256,
            1000,
            1024,
            4096,
            5999,
            65535,
            65536,
            1 << 31,
            (1 << 32) + 1,
            usize::MAX - 127,
            usize::MAX,
        ];
        if self.chance(3) { self.next(6000) } else { self.pick(&SIZES) }
    }

    /// A number of bytes within the application's memory.
    fn length(&mut self) -> usize {
        self.size().min(LARGEST)
    }

    /// Some of the `known` bits, sometimes with an unknown one.
    fn bits(&mut self, known: &[u64]) -> u64 {
        let mut bits = 0;
        for bit in known {
            if self.chance(4) {
                bits |= bit;
            }
        }
        if self.chance(40) { bits | 1 << self.next(64) } else { bits }
    }

    /// A random handle, usually of this type and of an object that exists or existed.
    fn any<T: Handle>(&mut self) -> *mut T {
        let start = self.next(self.handles.len());
        let some = self.handles[start].1;
        let address = match self.next(40) {
            0 => 0,
            1 => self.next(1 << 30),
            2 => some + 32 * self.next(64),
            3 => some + self.next(32),
            4..32 => {
                let (before, behind) = self.handles.split_at(start);
                let same = behind.iter().chain(before).find(|(kind, _)| *kind == T::KIND);
                same.map_or(some, |(_, address)| *address)
            }
            _ => some,
        };
        std::ptr::with_exposed_provenance_mut(address)
    }

    /// A wait list: its length and its events.
    fn waits(&mut self) -> (cl_uint, Vec<cl_event>) {
        let count = if self.chance(3) { self.next(4) } else { 0 };
        let list: Vec<cl_event> = (0..count).map(|_| self.any()).collect();
        let lie = self.chance(60);
        (u32::try_from(if lie { 0 } else { count }).unwrap(), list)
    }

    fn keep<T: Handle>(&mut self, handle: *mut T) {
        let entry = (T::KIND, handle.expose_provenance());
        if self.handles.len() < HANDLES {
            self.handles.push(entry);
        } else {
            let at = self.next(HANDLES);
            self.handles[at] = entry;
        }
    }

    /// Keeps a new object, to be released at the end.
    fn own<T: Handle>(&mut self, handle: *mut T) {
        self.made.push((T::KIND, handle.expose_provenance()));
        self.keep(handle);
    }

    fn remember<T: Handle>(&mut self, made: *mut T, code: cl_int) {
        assert_eq!(made.is_null(), code != CL_SUCCESS, "{code}");
        self.count(code);
        if !made.is_null() {
            self.own(made);
        }
    }

    fn count(&mut self, code: cl_int) {
        let extension =
            [CL_PLATFORM_NOT_FOUND_KHR, CL_INVALID_SEMAPHORE_KHR, CL_CONTEXT_TERMINATED_KHR]
                .contains(&code);
        assert!((LAST_CODE..=0).contains(&code) || extension, "{code} is no error code");
        if code == CL_SUCCESS {
            self.succeeded += 1;
        } else {
            self.failed += 1;
        }
    }

    /// Completes the user events that blocking calls might wait for.
    fn open_gates(&mut self) {
        for gate in std::mem::take(&mut self.gates) {
            let status = if self.chance(4) { -7 } else { CL_COMPLETE };
            // The application may have released the event, and its handle may be another event's by
            // now.
            self.count(cl!(clSetUserEventStatus(gate, status)));
        }
    }
}

/// The application's memory: never freed, because pending commands may still use it.
fn arena() -> *mut c_void {
    static AT: OnceCell<usize> = OnceCell::new();
    let at = AT.get_or_init(|| {
        vec![0_u128; ARENA / size_of::<u128>()].leak().as_mut_ptr().expose_provenance()
    });
    std::ptr::with_exposed_provenance_mut(*at)
}

/// A pointer to a list, NULL if it is empty.
fn list_at<T>(list: &[T]) -> *const T {
    if list.is_empty() { std::ptr::null() } else { list.as_ptr() }
}
