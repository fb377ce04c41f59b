//! API tests: one case per error code. This library is the shared part of the tests in `tests/`,
//! which has one file per chapter.
//!
//! The driver runs on five null devices, so no compiler and no hardware is needed. Calls go through
//! the dispatch table of the platform's handle, as with the loaders. Not here: results of kernels
//! (`tests/kernels`).

#![expect(
    clippy::unwrap_used,
    clippy::not_unsafe_ptr_arg_deref,
    clippy::macro_metavars_in_unsafe,
    clippy::multiple_unsafe_ops_per_block,
    reason = "a test may fail anywhere, and its arguments are its own"
)]

pub mod api_fuzz;
pub mod drivers;
mod explained;
mod extension;
mod functions;
pub mod il;
mod loader;
mod refused;

pub use explained::{assert_explained, last_sentence};
pub use extension::look_up;
pub use functions::Functions;
pub use refused::{Waits, limit_memory, starved};

use std::ffi::c_void;
use std::ptr::null_mut;

use muxcl_cl_sys as sys;
use muxcl_cl_sys::{
    CL_MEM_OBJECT_IMAGE2D, Dispatch, cl_context, cl_device_id, cl_image_desc, cl_int, cl_kernel,
    cl_mem, cl_platform_id, cl_program,
};
use muxcl_mux_null::NullDevice;
use muxcl_os::Mapping;
use muxcl_types::container::{Binary, BinaryKind};
use muxcl_types::program::{AccessQualifier, ArgInfo, ArgKind, KernelInfo, ProgramInfo};
use muxcl_types::variant::{ElfMeta, SpecializationKey, Variant};
use once_cell::sync::OnceCell;

/// A plane of 8 by 8 pixels, the base of most image descriptions.
pub const PLANE: cl_image_desc = cl_image_desc {
    image_type: CL_MEM_OBJECT_IMAGE2D,
    image_width: 8,
    image_height: 8,
    image_depth: 0,
    image_array_size: 0,
    image_row_pitch: 0,
    image_slice_pitch: 0,
    num_mip_levels: 0,
    num_samples: 0,
    mem_object: null_mut(),
};

/// Platform and devices, stored as addresses so that tests on any thread can use them.
#[derive(Debug)]
pub struct Setup {
    platform: usize,
    devices: [usize; 5],
}

impl Setup {
    /// The platform.
    #[must_use]
    pub fn platform(&self) -> cl_platform_id {
        std::ptr::with_exposed_provenance_mut(self.platform)
    }
    /// The first device.
    #[must_use]
    pub fn device(&self) -> cl_device_id {
        std::ptr::with_exposed_provenance_mut(self.devices[0])
    }
    /// The second device; it has neither shared virtual memory nor images.
    #[must_use]
    pub fn other_device(&self) -> cl_device_id {
        std::ptr::with_exposed_provenance_mut(self.devices[1])
    }
    /// The third device, with memory of its own and a larger buffer alignment.
    #[must_use]
    pub fn apart(&self) -> cl_device_id {
        std::ptr::with_exposed_provenance_mut(self.devices[2])
    }
    /// Two devices with memory of their own and coarse-grain shared virtual memory, whose address
    /// ranges differ.
    #[must_use]
    pub fn coarse(&self) -> [cl_device_id; 2] {
        [self.devices[3], self.devices[4]].map(std::ptr::with_exposed_provenance_mut)
    }
}

/// The start of an address range that this process does not use. The sanitizers leave different
/// parts of the address space free.
fn free_addresses() -> u64 {
    // ThreadSanitizer only maps addresses in the first range.
    const PLACES: [u64; 3] = [0x7e90_0000_0000, 1 << 44, 1 << 45];
    let free = |at: &u64| {
        usize::try_from(*at).is_ok_and(|at| matches!(Mapping::at(at, 1 << 20), Ok(Some(_))))
    };
    PLACES.into_iter().find(free).unwrap_or(PLACES[0])
}

/// The driver on five null devices, created once.
pub fn setup() -> &'static Setup {
    static SETUP: OnceCell<Setup> = OnceCell::new();
    SETUP.get_or_init(|| {
        if let Some(table) = LOADER.get() {
            return through_loader(table);
        }
        muxcl_cl::explain::start(explained::receive);
        // Null devices have no compiler, even if cargo built one. SAFETY: the driver reads the
        // variable later, under the standard library's lock, and no other code of this process
        // reads variables.
        unsafe {
            std::env::set_var(
                muxcl_config::MUXCL_COMPILER_PATH.name,
                "/nowhere/libmuxcl_compiler.so",
            )
        };
        muxcl_cl::install(|| {
            let coarse = [0, 0x7000].map(|n| NullDevice::coarse(free_addresses() + n));
            let mut all =
                vec![NullDevice::create(), NullDevice::without_svm(), NullDevice::apart()];
            all.extend(coarse);
            all
        });
        let mut platform = null_mut();
        // SAFETY: the arguments that the specification requires for clIcdGetPlatformIDsKHR.
        let code =
            unsafe { muxcl_cl::api::clIcdGetPlatformIDsKHR(1, &raw mut platform, null_mut()) };
        assert_eq!(code, sys::CL_SUCCESS);
        let mut devices = [null_mut(); 5];
        let get = dispatch_of(platform).clGetDeviceIDs.unwrap();
        // SAFETY: the array has five elements.
        let code =
            unsafe { get(platform, sys::CL_DEVICE_TYPE_ALL, 5, devices.as_mut_ptr(), null_mut()) };
        assert_eq!(code, sys::CL_SUCCESS);
        Setup {
            platform: platform.expose_provenance(),
            devices: devices.map(|d| d.expose_provenance()),
        }
    })
}

static LOADER: OnceCell<Functions> = OnceCell::new();

/// Sends all calls through the system's loader to the driver that it finds. Must precede every
/// other use of this library.
///
/// # Panics
/// If no loader exists.
pub fn use_loader() {
    LOADER.get_or_init(|| loader::load().0);
}

/// As [`use_loader`], but sends calls directly to the driver that the loader finds: the loader
/// itself dereferences any handle that it gets.
///
/// # Panics
/// If no loader exists.
pub fn use_driver() {
    LOADER.get_or_init(|| {
        let (functions, platform) = loader::load();
        functions.with(dispatch_of(platform))
    });
}

fn through_loader(table: &Functions) -> Setup {
    let mut platform = null_mut();
    let get = table.clGetPlatformIDs.unwrap();
    // SAFETY: room for one.
    let code = unsafe { get(1, &raw mut platform, null_mut()) };
    assert_eq!(code, sys::CL_SUCCESS, "the loader finds the driver");
    let mut device = null_mut();
    let get = table.clGetDeviceIDs.unwrap();
    // SAFETY: room for one.
    let code = unsafe { get(platform, sys::CL_DEVICE_TYPE_ALL, 1, &raw mut device, null_mut()) };
    assert_eq!(code, sys::CL_SUCCESS);
    Setup { platform: platform.expose_provenance(), devices: [device.expose_provenance(); 5] }
}

/// The table in the platform's handle.
pub fn dispatch() -> &'static Dispatch {
    dispatch_of(setup().platform())
}

/// The dispatch table that the loaders find in a handle.
fn dispatch_of(platform: cl_platform_id) -> &'static Dispatch {
    // SAFETY: the first word of a handle is the address of the driver's table, which is static.
    unsafe { &**platform.cast::<*const Dispatch>() }
}

/// Every entry point: through the table in the platform's handle, or through the loader.
pub fn functions() -> &'static Functions {
    static DRIVER: OnceCell<Functions> = OnceCell::new();
    let own = || {
        let platform = setup().platform();
        functions::of_driver(platform, dispatch())
    };
    LOADER.get().unwrap_or_else(|| DRIVER.get_or_init(own))
}

/// Calls an entry point by its name: `cl!(clFinish(queue))`.
#[macro_export]
macro_rules! cl {
    ($name:ident($($argument:expr),* $(,)?)) => {{
        let function = $crate::functions().$name.unwrap();
        // SAFETY: the arguments are valid, or the driver must refuse them.
        #[expect(clippy::allow_attributes, reason = "not every call has unsafe arguments")]
        #[allow(unused_unsafe, reason = "an argument may be a call of this macro")]
        unsafe { function($($argument),*) }
    }};
}

/// Asserts the code that an entry point returns: `code!(CL_SUCCESS, clFinish(queue))`.
#[macro_export]
macro_rules! code {
    ($code:ident, $name:ident($($argument:expr),* $(,)?)) => {{
        assert_eq!(
            $crate::cl!($name($($argument),*)), muxcl_cl_sys::$code,
            "{} gives {}", stringify!($name($($argument),*)), stringify!($code)
        );
        $crate::assert_explained(stringify!($name), stringify!($code));
    }};
}

/// Asserts that a creator fails with a code and NULL: `fails!(CL_INVALID_CONTEXT,
/// clCreateBuffer(...))`, without `errcode_ret`.
#[macro_export]
macro_rules! fails {
    ($code:ident, $name:ident($($argument:expr),* $(,)?)) => {{
        let mut code = 1;
        let made = $crate::cl!($name($($argument,)* &raw mut code));
        assert_eq!(code, muxcl_cl_sys::$code, "{} gives {}", stringify!($name($($argument),*)), stringify!($code));
        $crate::assert_explained(stringify!($name), stringify!($code));
        assert!(made.is_null());
        let made = $crate::cl!($name($($argument,)* std::ptr::null_mut()));
        assert!(made.is_null(), "and with no errcode_ret");
    }};
}

/// Asserts the error code of a creator, whatever object it returns:
/// `errcode!(CL_LINK_PROGRAM_FAILURE, clLinkProgram(...))`, without `errcode_ret`.
#[macro_export]
macro_rules! errcode {
    ($code:ident, $name:ident($($argument:expr),* $(,)?)) => {{
        let mut code = 1;
        let made = $crate::cl!($name($($argument,)* &raw mut code));
        assert_eq!(code, muxcl_cl_sys::$code, "{} gives {}", stringify!($name($($argument),*)), stringify!($code));
        $crate::assert_explained(stringify!($name), stringify!($code));
        made
    }};
}

/// The object that a creator returns: `make!(clCreateBuffer(...))`, without `errcode_ret`.
#[macro_export]
macro_rules! make {
    ($name:ident($($argument:expr),* $(,)?)) => {{
        let mut code = 1;
        let made = $crate::cl!($name($($argument,)* &raw mut code));
        assert_eq!(code, muxcl_cl_sys::CL_SUCCESS, "{}", stringify!($name($($argument),*)));
        assert!(!made.is_null());
        made
    }};
}

/// Reads an info query: first the size, then the value. Checks that a buffer one byte too small and
/// an unknown name are refused.
#[macro_export]
macro_rules! info {
    ($name:ident($($object:expr),+), $param:expr) => {{
        let mut size = usize::MAX;
        assert_eq!($crate::cl!($name($($object,)+ $param, 0, std::ptr::null_mut(), &raw mut size)), 0, "{}", stringify!($param));
        let mut value = vec![0xA5_u8; size + 1];
        assert_eq!($crate::cl!($name($($object,)+ $param, size, value.as_mut_ptr().cast(),
            std::ptr::null_mut())), 0);
        assert_eq!(value[size], 0xA5, "{} writes too much", stringify!($param));
        if size > 0 {
            assert_eq!($crate::cl!($name($($object,)+ $param, size - 1, value.as_mut_ptr().cast(),
                std::ptr::null_mut())),
                muxcl_cl_sys::CL_INVALID_VALUE, "{} with one byte less", stringify!($param));
        }
        value.truncate(size);
        value
    }};
}

/// The number in a query's answer of 4 or 8 bytes.
#[must_use]
pub fn number(bytes: &[u8]) -> u64 {
    match bytes.len() {
        4 => u64::from(u32::from_ne_bytes(bytes.try_into().unwrap())),
        8 => u64::from_ne_bytes(bytes.try_into().unwrap()),
        n => panic!("{n} bytes are no number"),
    }
}

/// The text in a query's answer, which must contain exactly one NUL, at its end.
#[must_use]
pub fn text(bytes: &[u8]) -> String {
    let c = std::ffi::CStr::from_bytes_with_nul(bytes).unwrap();
    c.to_str().unwrap().to_owned()
}

/// The program's binary for its only device.
#[must_use]
pub fn program_binary(p: cl_program) -> Vec<u8> {
    let sizes = info!(clGetProgramInfo(p), sys::CL_PROGRAM_BINARY_SIZES);
    let mut bytes = vec![0_u8; usize::try_from(number(&sizes)).unwrap()];
    let mut list = [bytes.as_mut_ptr()];
    let (name, at) = (sys::CL_PROGRAM_BINARIES, list.as_mut_ptr().cast());
    code!(CL_SUCCESS, clGetProgramInfo(p, name, 8, at, null_mut()));
    bytes
}

/// A context of the first device.
#[must_use]
pub fn context() -> cl_context {
    context_of(&[setup().device()])
}

/// A context of some devices.
#[must_use]
pub fn context_of(devices: &[cl_device_id]) -> cl_context {
    let count = u32::try_from(devices.len()).unwrap();
    make!(clCreateContext(std::ptr::null(), count, devices.as_ptr(), None, null_mut()))
}

/// A buffer with the default flags.
#[must_use]
pub fn buffer(context: cl_context, size: usize) -> cl_mem {
    make!(clCreateBuffer(context, sys::CL_MEM_READ_WRITE, size, null_mut()))
}

/// An argument of some kind.
#[must_use]
pub fn argument(kind: ArgKind, size: u32, name: &str) -> ArgInfo {
    ArgInfo {
        kind,
        size,
        align: size,
        name: name.into(),
        type_name: "int".into(),
        ..ArgInfo::default()
    }
}

/// The kernels of [`program`]: `empty`, and `all` with an argument of each kind.
#[must_use]
pub fn kernels() -> Vec<KernelInfo> {
    vec![
        KernelInfo { name: "empty".into(), has_arg_info: true, ..KernelInfo::default() },
        KernelInfo {
            name: "all".into(),
            has_arg_info: true,
            reqd_work_group_size: [8, 2, 1],
            reqd_sub_group_size: 8,
            local_bytes: 64,
            private_bytes: 16,
            attributes: "reqd_work_group_size(8,2,1)".into(),
            args: vec![
                argument(ArgKind::Value, 4, "scalar"),
                argument(ArgKind::GlobalPointer, 8, "global"),
                argument(ArgKind::ConstantPointer, 8, "constant"),
                argument(ArgKind::LocalPointer, 8, "local"),
                ArgInfo {
                    access: AccessQualifier::ReadOnly,
                    type_name: "image2d_t".into(),
                    ..argument(ArgKind::Image, 8, "image")
                },
                argument(ArgKind::Sampler, 8, "sampler"),
                argument(ArgKind::Opaque, 8, "queue"),
            ],
            ..KernelInfo::default()
        },
        KernelInfo {
            name: "two".into(),
            args: vec![argument(ArgKind::GlobalPointer, 8, ""), argument(ArgKind::Value, 16, "")],
            ..KernelInfo::default()
        },
    ]
}

/// A binary for the null device.
#[must_use]
pub fn binary_of(kernels: Vec<KernelInfo>, kind: BinaryKind) -> Vec<u8> {
    let variants = kernels
        .iter()
        .map(|k| Variant {
            kernel: k.name.clone(),
            symbol: k.name.clone(),
            key: SpecializationKey::default(),
            ..Variant::default()
        })
        .collect();
    let elf = ElfMeta { variants, ..ElfMeta::default() }.to_note().unwrap();
    Binary {
        kind,
        target: "null".into(),
        features: String::new(),
        options: String::new(),
        info: ProgramInfo { kernels, global_variable_bytes: 24, ..ProgramInfo::default() },
        bitcode: Vec::new(),
        globals_elf: Vec::new(),
        elf,
    }
    .to_bytes()
}

/// An unbuilt program from a binary for `devices`.
#[must_use]
pub fn program_from(context: cl_context, devices: &[cl_device_id], binary: &[u8]) -> cl_program {
    let lengths = vec![binary.len(); devices.len()];
    let mut pointers = vec![binary.as_ptr(); devices.len()];
    let mut status = vec![cl_int::from(1_i8); devices.len()];
    let count = u32::try_from(devices.len()).unwrap();
    let program = make!(clCreateProgramWithBinary(
        context,
        count,
        devices.as_ptr(),
        lengths.as_ptr(),
        pointers.as_mut_ptr(),
        status.as_mut_ptr()
    ));
    assert!(status.iter().all(|&s| s == sys::CL_SUCCESS));
    program
}

/// A built program with [`kernels`] for the first device.
#[must_use]
pub fn program(context: cl_context) -> cl_program {
    let program =
        program_from(context, &[setup().device()], &binary_of(kernels(), BinaryKind::Executable));
    code!(
        CL_SUCCESS,
        clBuildProgram(program, 0, std::ptr::null(), std::ptr::null(), None, null_mut())
    );
    program
}

/// A kernel of a program.
#[must_use]
pub fn kernel(program: cl_program, name: &std::ffi::CStr) -> cl_kernel {
    make!(clCreateKernel(program, name.as_ptr()))
}

/// Invalid handles: NULL, an odd address, an address on the stack, and the upper end of memory.
/// Every entry point must refuse them, and none may dereference them.
#[must_use]
pub fn bad_handles<T>() -> Vec<*mut T> {
    let local = 0_u64;
    let stack = (&raw const local).addr() & !31;
    [0, 1, 32, stack, usize::MAX, usize::MAX - 31].map(std::ptr::without_provenance_mut).to_vec()
}

/// An arbitrary address, for parameters that no code reads.
#[must_use]
pub fn anything() -> *mut c_void {
    std::ptr::without_provenance_mut(64)
}
