//! The process runs out of memory: every call that allocates is refused, and other calls work. A
//! separate program, because the memory limit applies to the process. The driver uses the library's
//! allocator.

#![expect(clippy::unwrap_used, reason = "a test may fail anywhere")]

use muxcl_cl_sys::*;
use muxcl_os::reserve::{self, ReserveAllocator};
use muxcl_test_api::{Functions, cl, code, context, functions, limit_memory, setup};

#[global_allocator]
static ALLOCATOR: ReserveAllocator = ReserveAllocator;

/// Calls an entry point with zeros only; returns its error code, if it has one.
type Zeros = fn(&Functions) -> Option<cl_int>;

macro_rules! with_zeros {
    ($([$group:ident $kind:ident $name:ident $version:literal ($($p:ident : $t:ty),*) -> $r:ty])*)
        => {
        &[$((stringify!($name), with_zeros!(@ $kind $group $name ($($p: $t),*)))),*]
    };
    (@ plain $group:ident $name:ident ($($p:ident : $t:ty),*)) => { |_| None };
    (@ int $group:ident $name:ident ($($p:ident : $t:ty),*)) => {
        |functions| {
            let function = functions.$name?;
            // SAFETY: NULL and zero are values of every parameter type, and with them every call
            // fails without another effect.
            Some(unsafe { function($(std::mem::zeroed::<$t>()),*) })
        }
    };
    (@ create $group:ident $name:ident ($($p:ident : $t:ty),*)) => {
        |functions| {
            let function = functions.$name?;
            let mut code = 1;
            let at = &raw mut code;
            // SAFETY: as above; the last parameter receives the code.
            let made = unsafe { function($(with_zeros!(@@ $p $t, at)),*) };
            assert!(made.is_null());
            Some(code)
        }
    };
    (@@ errcode_ret $t:ty, $at:ident) => { $at };
    (@@ $p:ident $t:ty, $at:ident) => { std::mem::zeroed::<$t>() };
}

const CALLS: &[(&str, Zeros)] = for_each_cl_function!(with_zeros);

/// The entry points whose row in the table of errors names this test for `CL_OUT_OF_HOST_MEMORY`.
fn listed() -> Vec<&'static str> {
    let mut row = "";
    let mut listed = Vec::new();
    for line in ERRORS.lines().filter(|line| !line.starts_with(['#', '!'])) {
        if !line.starts_with(' ') {
            row = line.split(' ').next().unwrap();
        }
        if line.split(' ').any(|word| word == "CL_OUT_OF_HOST_MEMORY@memory_ends") {
            listed.push(row);
        }
    }
    listed
}

#[test]
fn memory_ends() {
    let c = context();
    let listed = listed();
    assert!(listed.len() > 80, "{}", listed.len());
    let functions = functions();
    reserve::set_aside();
    let mut outcomes = Vec::with_capacity(CALLS.len());
    limit_memory(Some(1 << 20));
    // Allocate until an allocation comes from the reserve, or no size can be allocated.
    let mut hoard: Vec<Vec<u8>> = Vec::with_capacity(1 << 16);
    let mut size = 256 << 10;
    while size >= 16 {
        let mut block: Vec<u8> = Vec::new();
        if !reserve::is_low() && block.try_reserve_exact(size).is_ok() {
            hoard.push(block);
        } else if reserve::is_low() {
            break;
        } else {
            size /= 2;
        }
    }
    let low = reserve::is_low();
    for (name, call) in CALLS.iter().filter(|(name, _)| listed.contains(name)) {
        outcomes.push((name, call(functions)));
    }
    // The application can still release its objects.
    let count = count_devices(c);
    hoard.clear();
    limit_memory(None);
    assert!(low, "the reserve was begun");
    assert_eq!(count, CL_SUCCESS);
    for (name, code) in outcomes {
        assert_eq!(code, Some(CL_OUT_OF_HOST_MEMORY), "{name}");
    }
    code!(CL_SUCCESS, clReleaseContext(c));
    code!(CL_SUCCESS, clReleaseContext(context()));
    assert!(!setup().platform().is_null());
}

/// A query, which still works.
fn count_devices(c: cl_context) -> cl_int {
    let mut count = 0_u32;
    let at = (&raw mut count).cast();
    cl!(clGetContextInfo(c, CL_CONTEXT_NUM_DEVICES, 4, at, std::ptr::null_mut()))
}
