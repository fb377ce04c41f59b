//! Converts the application's pointers into slices, strings and callbacks.
//!
//! Invariant: raw pointers of the application leave `api` only as [`HostPtr`] and [`UserData`]. Not
//! here: the error for a missing pointer, which the caller passes.

use std::ffi::{CStr, c_char, c_void};

use crate::error::{ClError, ClResult};

/// The `count` values at `pointer`. Empty if both are zero.
///
/// # Errors
/// `error` if exactly one of pointer and count is zero, or the pointer is not aligned.
pub(crate) fn slice<'a, T>(pointer: *const T, count: usize, error: ClError) -> ClResult<&'a [T]> {
    if pointer.is_null() != (count == 0) || !pointer.is_aligned() {
        return Err(error);
    }
    if count == 0 {
        return Ok(&[]);
    }
    // SAFETY: not NULL, aligned, and `count` long, as the application guarantees.
    Ok(unsafe { std::slice::from_raw_parts(pointer, count) })
}

/// A C string, or `None` for NULL.
#[must_use]
pub(crate) fn text<'a>(pointer: *const c_char) -> Option<&'a CStr> {
    // SAFETY: not NULL, so a NUL-terminated string, as the application guarantees.
    (!pointer.is_null()).then(|| unsafe { CStr::from_ptr(pointer) })
}

/// `length` bytes of text, or up to the NUL if `length` is 0; `None` for NULL.
#[must_use]
pub(crate) fn text_of<'a>(pointer: *const c_char, length: usize) -> Option<&'a [u8]> {
    if length == 0 {
        return text(pointer).map(CStr::to_bytes);
    }
    // SAFETY: not NULL, and `length` bytes long, as the application guarantees.
    (!pointer.is_null()).then(|| unsafe { std::slice::from_raw_parts(pointer.cast(), length) })
}

/// Writes a result if the application wants it.
pub(crate) fn out<T>(pointer: *mut T, value: T) {
    if !pointer.is_null() {
        // SAFETY: not NULL, so by the specification it points at a T to be written.
        unsafe { pointer.write(value) };
    }
}

/// Pairs of name and value, and the list as it was given.
pub(crate) type PropertyList<T> = (Vec<(T, T)>, Vec<T>);

/// The property list `name, value, ..., 0`, as pairs; empty for NULL. Also the raw values with
/// their zero, for queries.
///
/// # Errors
/// `CL_OUT_OF_HOST_MEMORY`.
pub(crate) fn properties<T: Copy + PartialEq + Default>(
    list: *const T,
) -> ClResult<PropertyList<T>> {
    let mut pairs = Vec::new();
    let mut raw = Vec::new();
    if list.is_null() {
        return Ok((pairs, raw));
    }
    let mut at = list;
    loop {
        // SAFETY: the list ends with a zero name, which has not been read yet.
        let name = unsafe { at.read_unaligned() };
        raw.try_reserve(2)?;
        raw.push(name);
        if name == T::default() {
            return Ok((pairs, raw));
        }
        let value_at = at.wrapping_add(1);
        // SAFETY: each name is followed by its value.
        let value = unsafe { value_at.read_unaligned() };
        raw.push(value);
        pairs.try_reserve(1)?;
        pairs.push((name, value));
        // The next name, or the final zero.
        at = at.wrapping_add(2);
    }
}

/// An address in the application's memory that the driver keeps. Code that reads or writes through
/// it must know its length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostPtr(pub *mut c_void);

// SAFETY: an address; the application promises that the driver may use it from any thread.
unsafe impl Send for HostPtr {}
// SAFETY: as above.
unsafe impl Sync for HostPtr {}

/// The `user_data` pointer of a callback.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UserData(pub *mut c_void);

// SAFETY: the driver never dereferences the pointer; the specification allows callbacks on any
// thread.
unsafe impl Send for UserData {}
// SAFETY: as above.
unsafe impl Sync for UserData {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices() {
        let data = [1, 2, 3];
        assert_eq!(slice(data.as_ptr(), 3, ClError::INVALID_VALUE), Ok(&data[..]));
        assert_eq!(slice::<u8>(std::ptr::null(), 0, ClError::INVALID_VALUE), Ok(&[][..]));
        assert!(slice::<u8>(std::ptr::null(), 1, ClError::INVALID_VALUE).is_err());
        assert!(slice(data.as_ptr(), 0, ClError::INVALID_VALUE).is_err());
    }

    #[test]
    fn property_lists() {
        let list = [5_isize, 6, 7, 8, 0];
        let (pairs, raw) = properties(list.as_ptr()).unwrap();
        assert_eq!(pairs, [(5, 6), (7, 8)]);
        assert_eq!(raw, list);
        assert_eq!(properties::<isize>(std::ptr::null()).unwrap(), (vec![], vec![]));
    }
}
