//! Elements of OpenCL vectors in lanes whose number is known at run time only.
//!
//! The instructions that interleave take at most 8 vectors. More are joined in two steps: those at
//! even places, those at odd places, then both.

use muxcl_llvm::Value;

use super::Widen;

/// The largest number of vectors that an instruction interleaves.
const MOST: usize = 8;

impl<'m> Widen<'_, 'm, '_> {
    /// One vector with the elements of lane 0, then those of lane 1, ...
    pub(super) fn joined(&self, parts: &[Value<'m>]) -> Value<'m> {
        match parts {
            [one] => *one,
            _ if parts.len() <= MOST => self.b().interleave(parts),
            _ => {
                let half = |at: usize| {
                    let list: Vec<Value<'m>> = parts.iter().skip(at).step_by(2).copied().collect();
                    self.joined(&list)
                };
                self.b().interleave(&[half(0), half(1)])
            }
        }
    }

    /// The vectors of each of the `count` elements, which [`Self::joined`] joins to `wide`.
    pub(super) fn split(&self, wide: Value<'m>, count: u32) -> Vec<Value<'m>> {
        if count == 1 {
            return vec![wide];
        }
        if count as usize <= MOST {
            return self.b().deinterleave(wide, count);
        }
        let halves = self.b().deinterleave(wide, 2);
        let [even, odd] = [0, 1].map(|at| self.split(halves[at], count / 2));
        even.into_iter().zip(odd).flat_map(|(a, b)| [a, b]).collect()
    }
}
