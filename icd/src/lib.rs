//! libmuxcl.so: the exported C ABI and nothing else.
//!
//! Every exported function is a thin wrapper of the driver's own function of the same name,
//! generated from the one table. The wrappers are for the loaders (three `clIcd*` functions and
//! `clGetExtensionFunctionAddress`) and for programs linked with this library directly; the
//! dispatch table in every handle holds the driver's own functions.
//!
//! Invariant: this crate exports only the functions of the table, and nothing depends on it. The
//! library is linked so that it is never unloaded: its threads and its tables live as long as the
//! process. Not here: other behaviour, except the list of devices (`devices`), the log (`log`), the
//! sentences for errors (`explain`) and the files of profile and trace (`profile`,
//! `trace`).

mod devices;
mod explain;
mod log;
mod profile;
mod trace;

use muxcl_cl_sys::for_each_cl_function;
use muxcl_os::reserve::{self, ReserveAllocator};

#[global_allocator]
static ALLOCATOR: ReserveAllocator = ReserveAllocator;

/// Initialises the driver at the first call. Every exported function calls it.
fn start() {
    static STARTED: std::sync::Once = std::sync::Once::new();
    STARTED.call_once(|| {
        // A panic must not cross the C ABI.
        let _ = std::panic::catch_unwind(|| {
            reserve::set_aside();
            log::start();
            explain::start();
            profile::start();
            trace::start();
            muxcl_cl::install(devices::all);
        });
    });
}

macro_rules! exports {
    ($([$group:ident $kind:ident $name:ident $version:literal ($($p:ident : $t:ty),*) -> $r:ty])*)
        => {
        $(exports! { @ $group $name ($($p: $t),*) -> $r })*
    };
    (@ core $name:ident ($($p:ident : $t:ty),*) -> $r:ty) => { exports! {
        @ export $name ($($p: $t),*) -> $r } };
    (@ icd $name:ident ($($p:ident : $t:ty),*) -> $r:ty) => { exports! {
        @ export $name ($($p: $t),*) -> $r } };
    (@ export $name:ident ($($p:ident : $t:ty),*) -> $r:ty) => {
        #[doc = concat!("`", stringify!($name), "`\n\n# Safety\nAs the OpenCL specification says.")]
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($($p: $t),*) -> $r {
            start();
            // SAFETY: the same contract as the caller's.
            unsafe { muxcl_cl::api::$name($($p),*) }
        }
    };
    (@ $group:ident $name:ident ($($p:ident : $t:ty),*) -> $r:ty) => {};
}

for_each_cl_function!(exports);
