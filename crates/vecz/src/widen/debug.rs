//! The values of source variables in the loop over vectors, for debuggers.
//!
//! A debugger shows the variables of the work-item in lane 0. In blocks that only some lanes run,
//! and for values that differ between lanes without a fixed distance, it shows no value. So a
//! variable never has the value of another assignment.

use muxcl_llvm::{Builder, Value};

use super::{Lanes, Widen};

impl<'m> Widen<'_, 'm, '_> {
    /// Copies the debug records of variables in front of the scalar instruction `i`. The code is
    /// the same without them.
    pub(super) fn variables_of_source(&self, i: Value<'m>) {
        let value = |v: Value<'m>| {
            let own = |v| self.shapes.privates.contains_key(&v);
            if self.mask.is_some() || own(v) || self.shapes.interleaved(v).is_some() {
                return None;
            }
            if self.graph.block_of(v).is_none() {
                return Some(v);
            }
            match self.local.get(&v)? {
                Lanes::Scalar(v) | Lanes::Strided(v, _) => Some(*v),
                Lanes::Vector(_) | Lanes::Whole(_) => None,
            }
        };
        Builder::at_end(self.at).copy_debug_records(i, &value);
    }
}
