//! Interleaves and deinterleaves scalable vectors, for loads and stores of OpenCL vectors.
//!
//! A lane's OpenCL vector is contiguous in memory, but its elements are in different vectors of
//! lanes. LLVM's intrinsics interleave at most 8 vectors. More vectors are interleaved in steps:
//! first those with even numbers, then those with odd numbers, then both results.

use muxcl_llvm::Value;

use super::Widen;

/// The largest number of vectors that one intrinsic interleaves.
const MOST: usize = 8;

impl<'m> Widen<'_, 'm, '_> {
    /// Interleaves the vectors `parts`, each with one element of the OpenCL vectors of all lanes.
    /// The result has the elements of lane 0, then those of lane 1, and so on.
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

    /// The inverse of [`Self::joined`]: splits `wide` into `count` vectors, one for each element of
    /// the OpenCL vectors.
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
