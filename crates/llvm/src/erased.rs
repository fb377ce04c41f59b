//! Keeps the erased objects of live modules.
//!
//! A handle ([`crate::Value`], [`crate::Block`], [`crate::Function`]) is `Copy` and valid while its
//! module is borrowed, so erasing must not delete. An erased object is unlinked, has no operands
//! and no uses (`cpp/erase.cpp`), and waits here until its module is dropped. A query of its
//! position panics. Modules stay on their thread, so the list is thread-local.

use std::cell::RefCell;
use std::ffi::c_void;
use std::marker::PhantomData;
use std::ptr::NonNull;

use llvm_sys::{LLVMModule, LLVMValue};

use crate::Function;
use crate::ffi::{Erased, LLVMGetGlobalParent, MuxclDeleteErased};
use crate::kinds::GlobalValue;

thread_local! {
    static ERASED: RefCell<Vec<(NonNull<LLVMModule>, NonNull<LLVMValue>)>> =
        const { RefCell::new(Vec::new()) };
}

/// Runs an edit of a function and keeps the objects that it erases.
///
/// If the function is in no module, it is itself erased, and its erased parts are deleted with it.
pub(crate) fn in_function<R>(f: Function<'_>, edit: impl FnOnce(Erased<'_>) -> R) -> R {
    in_global(f.global(), edit)
}

fn in_global<R>(f: GlobalValue<'_>, edit: impl FnOnce(Erased<'_>) -> R) -> R {
    let module = LLVMGetGlobalParent(f);
    let mut values: Vec<NonNull<LLVMValue>> = Vec::new();
    let list: *mut Vec<NonNull<LLVMValue>> = &raw mut values;
    let result = edit(Erased { add, ctx: list.cast(), life: PhantomData });
    if let (Some(module), false) = (module, values.is_empty()) {
        ERASED.with_borrow_mut(|all| all.extend(values.into_iter().map(|v| (module, v))));
    }
    result
}

unsafe extern "C" fn add(ctx: *mut c_void, value: NonNull<LLVMValue>) {
    // SAFETY: `ctx` is the list of `in_global`, which the edit borrows for itself.
    let list = unsafe { &mut *ctx.cast::<Vec<NonNull<LLVMValue>>>() };
    list.push(value);
}

/// Deletes the erased objects of `module`, which is gone.
///
/// # Safety
/// The module has been disposed of, and its context is alive.
pub(crate) unsafe fn delete(module: NonNull<LLVMModule>) {
    let erased = ERASED.try_with(|all| {
        let mut all = all.borrow_mut();
        let of_module: Vec<_> = all.extract_if(.., |(m, _)| *m == module).collect();
        of_module
    });
    for (_, value) in erased.unwrap_or_default() {
        // SAFETY: the value is in no module, and handles of it do not outlive the module.
        unsafe { MuxclDeleteErased(value) };
    }
}
