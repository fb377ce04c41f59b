//! The protocol of every `clGet*Info`: sizes, truncation, and the proof that each query wrote an
//! answer.
//!
//! Invariant: a `param_value` that is too small is left unchanged. Not here: the queries.

use std::ffi::c_void;

use crate::error::ClResult;
use crate::explain::violated;

/// Plain C data that may be copied to the application byte for byte.
///
/// # Safety
/// The type must have no padding that matters and no pointers into the driver other than handles.
pub unsafe trait Plain: Copy {}

macro_rules! plain {
    ($($t:ty)*) => { $(
        // SAFETY: plain C data.
        unsafe impl Plain for $t {}
    )* };
}
plain! {
    i8 u8 i16 u16 i32 u32 i64 u64 f32 isize usize
    muxcl_cl_sys::cl_image_format muxcl_cl_sys::cl_name_version
}
// SAFETY: handles and callbacks are addresses that the application may have.
unsafe impl<T> Plain for *mut T {}
// SAFETY: as above.
unsafe impl<T> Plain for *const T {}
// SAFETY: an array of plain data.
unsafe impl<T: Plain, const N: usize> Plain for [T; N] {}

/// Proof that a query was answered: only [`InfoOut`] creates one.
#[derive(Debug)]
#[must_use]
pub struct Written(());

/// The destination of an answer.
#[derive(Clone, Copy, Debug)]
pub struct InfoOut {
    size: usize,
    value: *mut c_void,
    size_ret: *mut usize,
}

impl InfoOut {
    /// Wraps the last three parameters of an info query.
    #[must_use]
    pub fn new(size: usize, value: *mut c_void, size_ret: *mut usize) -> Self {
        Self { size, value, size_ret }
    }

    /// Checks that the answer fits.
    fn has_room(self, bytes: usize) -> ClResult<()> {
        if self.size >= bytes {
            return Ok(());
        }
        Err(violated!(
            INVALID_VALUE,
            "if param_value is given and param_value_size is too small for the answer";
            "param_value_size = {}, but the answer has {bytes} bytes",
            self.size
        ))
    }

    /// Answers with one value.
    ///
    /// # Errors
    /// `CL_INVALID_VALUE` if the answer does not fit.
    pub fn write<T: Plain>(self, value: T) -> ClResult<Written> {
        self.write_slice(&[value])
    }

    /// Answers with an array.
    ///
    /// # Errors
    /// `CL_INVALID_VALUE` if the answer does not fit.
    pub fn write_slice<T: Plain>(self, values: &[T]) -> ClResult<Written> {
        let bytes = size_of_val(values);
        if !self.value.is_null() {
            self.has_room(bytes)?;
            // SAFETY: not NULL and at least `bytes` long, as the application guarantees; the source
            // is a slice.
            unsafe {
                std::ptr::copy_nonoverlapping(
                    values.as_ptr().cast::<u8>(),
                    self.value.cast::<u8>(),
                    bytes,
                )
            };
        }
        if !self.size_ret.is_null() {
            // SAFETY: not NULL, so it points at a size_t to be written; the write may be unaligned.
            unsafe { self.size_ret.write_unaligned(bytes) };
        }
        Ok(Written(()))
    }

    /// Answers with a C string.
    ///
    /// # Errors
    /// `CL_INVALID_VALUE` if the answer does not fit, `CL_OUT_OF_HOST_MEMORY`.
    pub fn write_str(self, text: &str) -> ClResult<Written> {
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(text.len() + 1)?;
        // An embedded NUL would end the string early for the reader; replace it by a blank.
        bytes.extend(text.bytes().map(|b| if b == 0 { b' ' } else { b }));
        bytes.push(0);
        self.write_slice(&bytes)
    }

    /// Answers with an empty value (size 0).
    ///
    /// # Errors
    /// Never; the result type is that of the other methods.
    pub fn write_empty(self) -> ClResult<Written> {
        self.write_slice::<u8>(&[])
    }

    /// `CL_PROGRAM_BINARIES`: the answer is an array of pointers that the application has filled
    /// in, each a destination. `None` if the call only asks for the size.
    ///
    /// # Errors
    /// `CL_INVALID_VALUE` if the array does not fit.
    pub fn pointers(self, count: usize) -> ClResult<(Option<Vec<*mut u8>>, Written)> {
        let bytes = count.saturating_mul(size_of::<*mut u8>());
        let mut out = None;
        if !self.value.is_null() {
            self.has_room(bytes)?;
            let mut list = Vec::new();
            list.try_reserve_exact(count)?;
            for i in 0..count {
                // SAFETY: the application's array has `count` pointers.
                let at = unsafe { self.value.cast::<*mut u8>().add(i) };
                // SAFETY: as above.
                list.push(unsafe { at.read_unaligned() });
            }
            out = Some(list);
        }
        if !self.size_ret.is_null() {
            // SAFETY: not NULL, so it points at a size_t to be written.
            unsafe { self.size_ret.write_unaligned(bytes) };
        }
        Ok((out, Written(())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ClError;

    #[test]
    fn sizes_and_truncation() {
        let mut value = [0_u8; 8];
        let mut size = 0;
        let out =
            |len: usize, value: *mut u8, size: *mut usize| InfoOut::new(len, value.cast(), size);
        let p = value.as_mut_ptr();
        let _ = out(4, p, &raw mut size).write(7_u32).unwrap();
        assert_eq!((size, value[0]), (4, 7));
        assert_eq!(out(3, p, &raw mut size).write(9_u32).unwrap_err(), ClError::INVALID_VALUE);
        assert_eq!(value[0], 7, "nothing written");
        let _ = out(0, std::ptr::null_mut(), &raw mut size).write_str("abc").unwrap();
        assert_eq!(size, 4);
        let _ = out(8, p, std::ptr::null_mut()).write_str("abc").unwrap();
        assert_eq!(&value[..4], b"abc\0");
        let _ = out(0, std::ptr::null_mut(), std::ptr::null_mut()).write_empty().unwrap();
    }
}
