//! gdb's JIT interface: a list of objects in memory, which a debugger reads, and a function on
//! which the debugger sets a breakpoint.
//!
//! Invariant: an entry is in the list exactly while its [`Registration`] lives, and the list
//! changes only under the lock. The two symbols have hidden visibility: the library's symbol table
//! holds them, its exports do not.

use crate::layout::Layout;
use crate::object::Object;
use muxcl_lock::{Mutex, Rank};
use std::ptr::null_mut;

#[repr(C)]
struct Entry {
    next: *mut Self,
    prev: *mut Self,
    address: *const u8,
    size: u64,
}

#[repr(C)]
struct Descriptor {
    version: u32,
    action: u32,
    relevant: *mut Entry,
    first: *mut Entry,
}

const REGISTER: u32 = 1;
const UNREGISTER: u32 = 2;

// gdb defines names and layout. The symbols are hidden, so that a library with this crate does not
// export them.
std::arch::global_asm!(
    ".pushsection .data.__jit_debug_descriptor,\"aw\",@progbits",
    ".balign 8",
    ".globl __jit_debug_descriptor",
    ".hidden __jit_debug_descriptor",
    ".type __jit_debug_descriptor,@object",
    ".size __jit_debug_descriptor,24",
    "__jit_debug_descriptor:",
    ".4byte 1",
    ".4byte 0",
    ".8byte 0",
    ".8byte 0",
    ".popsection",
    ".pushsection .text.__jit_debug_register_code,\"ax\",@progbits",
    ".globl __jit_debug_register_code",
    ".hidden __jit_debug_register_code",
    ".type __jit_debug_register_code,@function",
    "__jit_debug_register_code:",
    "ret",
    ".size __jit_debug_register_code,.-__jit_debug_register_code",
    ".popsection",
);

unsafe extern "C" {
    static mut __jit_debug_descriptor: Descriptor;
    fn __jit_debug_register_code();
}

static LIST: Mutex<()> = Mutex::new(Rank::Leaf, ());

/// The registration of one object; dropping it unregisters the object.
pub(crate) struct Registration {
    entry: *mut Entry,
    /// The object with section addresses filled in, to which the entry points.
    _file: Box<[u8]>,
}

// SAFETY: the entry is owned by this value and touched only under the list's lock.
unsafe impl Send for Registration {}
// SAFETY: as above; no method takes a shared reference.
unsafe impl Sync for Registration {}

impl std::fmt::Debug for Registration {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Registration").finish_non_exhaustive()
    }
}

impl Registration {
    pub(crate) fn new(bytes: &[u8], object: &Object<'_>, layout: &Layout, base: u64) -> Self {
        let mut file: Box<[u8]> = bytes.into();
        for (section, offset) in object.sections.iter().zip(&layout.sections) {
            // sh_addr is the fourth field.
            let at = section.header_at + 16;
            if let (Some(offset), Some(field)) = (offset, file.get_mut(at..at + 8)) {
                field.copy_from_slice(&base.wrapping_add(*offset).to_le_bytes());
            }
        }
        let entry = Box::into_raw(Box::new(Entry {
            next: null_mut(),
            prev: null_mut(),
            address: file.as_ptr(),
            size: file.len() as u64,
        }));
        let _guard = LIST.lock();
        // SAFETY: the list is only touched under the lock, and every entry in it is alive.
        unsafe { push(entry) };
        Self { entry, _file: file }
    }
}

impl Drop for Registration {
    fn drop(&mut self) {
        {
            let _guard = LIST.lock();
            // SAFETY: the entry was pushed by `new` and is removed once, under the lock.
            unsafe { remove(self.entry) };
        }
        // SAFETY: the entry came from Box::into_raw and is out of the list.
        drop(unsafe { Box::from_raw(self.entry) });
    }
}

/// # Safety
/// The list's lock is held, `entry` is valid and not in the list.
#[expect(
    clippy::multiple_unsafe_ops_per_block,
    reason = "one update of a linked list under one lock"
)]
unsafe fn push(entry: *mut Entry) {
    let list = &raw mut __jit_debug_descriptor;
    // SAFETY: the lock is held and all entries are alive, by the contract of this function.
    unsafe {
        (*entry).next = (*list).first;
        if !(*entry).next.is_null() {
            (*(*entry).next).prev = entry;
        }
        (*list).first = entry;
        notify(entry, REGISTER);
    }
}

/// # Safety
/// The list's lock is held and `entry` is in the list.
#[expect(
    clippy::multiple_unsafe_ops_per_block,
    reason = "one update of a linked list under one lock"
)]
unsafe fn remove(entry: *mut Entry) {
    let list = &raw mut __jit_debug_descriptor;
    // SAFETY: the lock is held and all entries are alive, by the contract of this function.
    unsafe {
        let (next, prev) = ((*entry).next, (*entry).prev);
        if prev.is_null() {
            (*list).first = next;
        } else {
            (*prev).next = next;
        }
        if !next.is_null() {
            (*next).prev = prev;
        }
        notify(entry, UNREGISTER);
    }
}

/// # Safety
/// The list's lock is held.
#[expect(
    clippy::multiple_unsafe_ops_per_block,
    reason = "one update of the descriptor under one lock"
)]
unsafe fn notify(entry: *mut Entry, action: u32) {
    let list = &raw mut __jit_debug_descriptor;
    // SAFETY: the lock is held; the function does nothing but return.
    unsafe {
        (*list).relevant = entry;
        (*list).action = action;
        __jit_debug_register_code();
        (*list).action = 0;
        (*list).relevant = null_mut();
    }
}

/// The number of registered objects.
#[cfg(test)]
pub(crate) fn registered() -> usize {
    let _guard = LIST.lock();
    let mut count = 0;
    // SAFETY: the lock is held, so the list does not change.
    let mut at = unsafe { __jit_debug_descriptor.first };
    while !at.is_null() {
        count += 1;
        // SAFETY: entries in the list are alive while the lock is held.
        at = unsafe { (*at).next };
    }
    count
}
