//! Debug information (`-g`): locations and records of variables in code that passes rewrite.

use std::ffi::c_void;
use std::slice;

use crate::ffi::{
    LLVMGetDebugLocFilename, LLVMGetDebugLocLine, LLVMGetSubprogram, LLVMStripModuleDebugInfo,
    MuxclCopyDebugRecords, MuxclFlatDebugAddresses, MuxclLocalDeclarations, MuxclSetLocation,
    MuxclTakeSubprogram,
};
use crate::{Builder, Function, Module, Value};

/// The values of variables in a copy of code: maps an old value to the new one. `None`: the
/// variable has no known value from here on.
type MapValue<'f, 'm> = &'f dyn Fn(Value<'m>) -> Option<Value<'m>>;

/// # Safety
/// `ctx` must point to a [`MapValue`].
unsafe extern "C" fn map_value<'m>(ctx: *mut c_void, v: Value<'m>) -> Option<Value<'m>> {
    // SAFETY: the caller's promise.
    let map = unsafe { &*ctx.cast::<MapValue<'_, 'm>>() };
    map(v)
}

impl<'m> Builder<'m> {
    /// Gives the instructions that this builder makes from now on the location of `like`.
    pub fn set_location(&self, like: Value<'m>) {
        let like = like.instruction();
        // SAFETY: a builder and an instruction.
        self.with_raw(|b| unsafe { MuxclSetLocation(b, like) });
    }
    /// Copies the records in front of `like` that give variables a value. `map` returns the value
    /// in the new code for a value in the old one; `None` if the variable has no known value from
    /// here on.
    pub fn copy_debug_records(&self, like: Value<'m>, map: MapValue<'_, 'm>) {
        let like = like.instruction();
        let mut map = map;
        let ctx = (&raw mut map).cast();
        // SAFETY: a builder and an instruction; the context is that of the function.
        self.with_raw(|b| unsafe { MuxclCopyDebugRecords(b, like, map_value, ctx) });
    }
}

impl Value<'_> {
    /// The file and the line of the source of an instruction; `None` without debug information, and
    /// for other values.
    pub fn source_line(self) -> Option<(String, u32)> {
        if !self.is_instruction() {
            return None;
        }
        // SAFETY: an instruction.
        let line = unsafe { LLVMGetDebugLocLine(self) };
        let mut length = 0;
        // SAFETY: an instruction; the pointer is writable.
        let name = unsafe { LLVMGetDebugLocFilename(self, &raw mut length) };
        if line == 0 || name.is_null() {
            return None;
        }
        // SAFETY: LLVM returns `length` bytes, which live as long as the module's metadata.
        let name = unsafe { slice::from_raw_parts(name.cast::<u8>(), length as usize) };
        Some((String::from_utf8_lossy(name).into_owned(), line))
    }
    /// Limits the declarations of variables at the address of this `alloca`, which hold in the
    /// whole function, to the code that they precede.
    pub fn localise_declarations(self) {
        MuxclLocalDeclarations(self.alloca_inst());
    }
}

impl Function<'_> {
    /// True if the function has debug information.
    pub fn has_subprogram(self) -> bool {
        LLVMGetSubprogram(self).is_some()
    }
    /// Makes this function the code of the source function that `from` is the code of.
    pub fn take_subprogram(self, from: Self) {
        MuxclTakeSubprogram(self, from);
    }
}

impl<'c> Module<'c> {
    /// Removes the address spaces from the locations of variables, for targets on which all
    /// address spaces are one.
    pub fn flatten_debug_addresses(&self) {
        // SAFETY: the module is alive.
        unsafe { MuxclFlatDebugAddresses(self.raw_ref()) };
    }
    /// A copy without debug information.
    #[must_use]
    pub fn without_debug(&self) -> Self {
        let copy = self.clone();
        // SAFETY: the module is alive, and nobody has a handle of its debug information.
        unsafe { LLVMStripModuleDebugInfo(copy.raw_ref()) };
        copy
    }
}
