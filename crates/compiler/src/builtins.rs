//! The OpenCL C library, as the passes ask for it.

use muxcl_builtins::MemberId;
use muxcl_passes::link_builtins::BuiltinLibrary;

/// The library of `muxcl-builtins`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Library;

impl BuiltinLibrary for Library {
    fn find(&self, symbol: &str) -> Option<usize> {
        muxcl_builtins::find(symbol).map(MemberId::index)
    }

    fn bitcode(&self, member: usize) -> &'static [u8] {
        MemberId::from_index(member).map_or(&[], muxcl_builtins::member)
    }
}
