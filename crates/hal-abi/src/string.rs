//! `std::string` of libstdc++ (its C++11 form): a pointer, a length, and sixteen bytes that hold
//! short strings. Invariant: strings made here point to memory of their own, never into themselves,
//! so they may be moved. C++ code reads them, and never frees or grows them.

use std::ffi::c_char;

/// A `std::string` as libstdc++ lays it out.
#[repr(C)]
#[derive(Debug)]
pub struct CxxString {
    data: *const c_char,
    len: usize,
    capacity: usize,
    _rest: usize,
}

impl CxxString {
    /// Creates a string that is never freed, for descriptions of devices.
    #[must_use]
    pub fn leak(text: &str) -> Self {
        let bytes: Vec<u8> = text.bytes().chain([0]).collect();
        let bytes: &'static [u8] = Box::leak(bytes.into_boxed_slice());
        Self { data: bytes.as_ptr().cast(), len: text.len(), capacity: text.len(), _rest: 0 }
    }

    /// The bytes of the string. `None` if it is invalid (a null pointer with a length).
    ///
    /// # Safety
    /// The string is one that C++ or [`CxxString::leak`] made, still in place, and alive for `'a`.
    #[must_use]
    pub unsafe fn bytes<'a>(&self) -> Option<&'a [u8]> {
        if self.data.is_null() {
            return (self.len == 0).then_some(&[]);
        }
        if self.len > isize::MAX as usize {
            return None;
        }
        // SAFETY: the caller's promise: `data` points to `len` bytes.
        Some(unsafe { std::slice::from_raw_parts(self.data.cast(), self.len) })
    }
}
