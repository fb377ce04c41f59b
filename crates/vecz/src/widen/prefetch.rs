//! Prefetches for inner loops whose iterations load from far-apart addresses, as in
//! `for (i = get_global_id(0); i < n; i += get_global_size(0)) count[in[i]]++`.
//!
//! The processor prefetches by itself only within a page of memory. It also executes loads of later
//! iterations early, if the instructions up to these loads fit its out-of-order window. So loops
//! with few instructions need no prefetch, but in others each iteration would wait for its load. A
//! prefetch never faults, so its address may be one that the program does not load from.
//!
//! Not here: gathers, whose addresses would have to be computed for several iterations.

use muxcl_llvm::{Opcode, Value};

use super::{Lanes, Widen};
use crate::cost::LINE;
use crate::overlap::PAGE;
use crate::shapes::{Lowering, Shape, lowering};
use crate::steps::{Step, Steps};

/// The least number of instructions of an iteration that needs prefetches.
const LONG: u64 = 128;
/// The number of instructions between a prefetch and its load.
const AHEAD: u64 = 1024;
/// The most iterations between a prefetch and its load.
const MOST_AHEAD: u64 = 4;
/// The most cache lines that a prefetch covers.
const LINES: u64 = 4;
/// Instructions for one lane of an instruction that runs lane by lane.
const EACH_LANE: u64 = 4;

impl<'m> Widen<'_, 'm, '_> {
    /// Prefetches what the load `i` loads some iterations later. `address`: that of the first lane;
    /// `bytes`: those of all lanes.
    pub(super) fn prefetch(&mut self, i: Value<'m>, address: Value<'m>, bytes: u64) {
        let Some((step, ahead)) = self.far_step(i) else { return };
        let cx = self.module.cx();
        let offset = match step {
            Step::Bytes(bytes) => cx.i64().constant(bytes.wrapping_mul(ahead).cast_unsigned()),
            Step::Multiple(of, bytes) => {
                let Lanes::Scalar(of) = self.lookup(of) else { return };
                let b = self.b();
                let wide = if of.ty() == cx.i64() { of } else { b.sext(of, cx.i64()) };
                b.mul(wide, cx.i64().constant(bytes.wrapping_mul(ahead).cast_unsigned()))
            }
        };
        let pointer = address.ty();
        let name = format!("llvm.prefetch.p{}", pointer.address_space());
        let ty = cx.function(cx.void(), &[pointer, cx.i32(), cx.i32(), cx.i32()]);
        let prefetch = self.module.get_or_add_function(&name, ty);
        let b = self.b();
        let later = b.byte_offsets(address, offset);
        for line in 0..bytes.div_ceil(LINE).min(LINES) {
            let at = b.byte_offsets(later, cx.u64(line * LINE));
            // The arguments: for a read, into all levels of the cache, of data.
            b.call(prefetch, &[at, cx.u32(0), cx.u32(3), cx.u32(1)]);
        }
    }

    /// The distance of the addresses of `i` from one iteration of its inner loop to the next, and
    /// the number of iterations that a prefetch is ahead; `None` if it needs none.
    fn far_step(&self, i: Value<'m>) -> Option<(Step<'m>, i64)> {
        let block = self.graph.block_of(i).filter(|_| self.interleaves)?;
        let blocks = &self.graph.loops[self.graph.innermost[block]?].blocks;
        let blocks: Vec<_> = blocks.iter().map(|b| self.graph.blocks[*b]).collect();
        let all = blocks.iter().flat_map(|b| b.instructions());
        let mut length = 0;
        for i in all {
            length += self.instructions_for(i);
            // A longer loop gives the same result. The sum is made for each load of the loop.
            if length >= AHEAD {
                break;
            }
        }
        if length < LONG {
            return None;
        }
        let steps = Steps { module: self.module, blocks, rows: None, wraps: false };
        let step = steps.symbolic(i.operand(0))?;
        if matches!(step, Step::Bytes(bytes) if bytes.unsigned_abs() < PAGE) {
            return None;
        }
        Some((step, AHEAD.div_ceil(length).min(MOST_AHEAD).cast_signed()))
    }

    /// An estimate of the machine's instructions for `i` in all lanes.
    fn instructions_for(&self, i: Value<'m>) -> u64 {
        let lanes = u64::from(self.width.count);
        match lowering(i) {
            _ if i.opcode() == Opcode::Phi => 0,
            Lowering::EachLane => lanes * EACH_LANE,
            _ if !self.is_vector(i) => 1,
            _ => {
                let bits = self.module.size_of(i.ty()) * 8 * lanes;
                bits.div_ceil(self.register_bits.into())
            }
        }
    }

    fn is_vector(&self, i: Value<'m>) -> bool {
        !i.ty().is_void() && self.shapes.of_value(self.graph, i) == Shape::Varying
    }
}
