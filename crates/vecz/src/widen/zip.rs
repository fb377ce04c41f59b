//! The order of the elements of OpenCL vectors in steps of two vectors each.
//!
//! LLVM makes several times as many instructions of shuffles that select from many vectors. Not
//! here: when the order changes (`access`).

use muxcl_llvm::{Type, Value};

use super::Widen;

impl<'m> Widen<'_, 'm, '_> {
    /// If steps of two vectors each need fewer instructions than LLVM makes of one shuffle: the
    /// number of registers for a component of OpenCL vectors with `count` elements.
    pub(super) fn zips(&self, element: Type<'m>, count: u32) -> Option<u64> {
        let (size, lanes) = (self.module.size_of(element), self.width.count);
        let fits = count >= 4 && count.is_power_of_two() && size >= 4 && lanes >= 8;
        let fixed = self.width.scale.is_none() && !element.is_pointer();
        (fits && fixed).then(|| size * 8 * u64::from(lanes) / u64::from(self.register_bits))
    }

    /// The vectors of each of the `count` elements, from one vector with the elements of lane 0,
    /// then those of lane 1, ... Each step separates even and odd elements.
    pub(super) fn unzipped(&self, wide: Value<'m>, count: u32) -> Vec<Value<'m>> {
        let (lanes, b) = (self.width.count, self.b());
        let list = |of: &dyn Fn(u32) -> u32| -> Vec<i32> {
            (0..lanes).map(|n| of(n).cast_signed()).collect()
        };
        let none = wide.ty().poison();
        let mut vectors: Vec<Value<'m>> =
            (0..count).map(|k| b.shuffle(wide, none, &list(&|n| k * lanes + n))).collect();
        let mut columns = 1;
        while columns < count {
            // Vector `r * columns + c` has elements `c`, `c + columns`, ... of row `r`.
            let pair = |k: u32, odd: u32| {
                let (row, column) = (k / columns, k % columns);
                let at = |r: u32| vectors[((2 * row + r) * columns + column) as usize];
                b.shuffle(at(0), at(1), &list(&|n| 2 * n + odd))
            };
            let rows = count / columns / 2;
            vectors = (0..rows * 2 * columns)
                .map(|k| {
                    let (row, column) = (k / (2 * columns), k % (2 * columns));
                    pair(row * columns + column % columns, column / columns)
                })
                .collect();
            columns *= 2;
        }
        vectors
    }

    /// One vector with the elements of lane 0, then those of lane 1, ... Each step joins the
    /// elements of two vectors in turn.
    pub(super) fn zipped(&self, parts: &[Value<'m>]) -> Value<'m> {
        let (lanes, b) = (self.width.count, self.b());
        let list = |first: u32| -> Vec<i32> {
            let from = |n: u32| first + n / 2 + lanes * (n % 2);
            (0..lanes).map(|n| from(n).cast_signed()).collect()
        };
        let mut vectors = parts.to_vec();
        let mut columns = parts.len();
        while columns > 1 {
            let half = columns / 2;
            // Vector `r * columns + c` has elements `c`, `c + columns`, ... of row `r`.
            vectors = (0..parts.len())
                .map(|k| {
                    let (row, column) = (k / half, k % half);
                    let at = row / 2 * columns + column;
                    let first = if row % 2 == 0 { 0 } else { lanes / 2 };
                    b.shuffle(vectors[at], vectors[at + half], &list(first))
                })
                .collect();
            columns = half;
        }
        let mut len = lanes;
        while vectors.len() > 1 {
            len *= 2;
            let all: Vec<i32> = (0..len.cast_signed()).collect();
            vectors = vectors.chunks(2).map(|p| b.shuffle(p[0], p[1], &all)).collect();
        }
        vectors[0]
    }
}
