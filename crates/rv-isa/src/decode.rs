//! Decodes and encodes instruction words. Invariant: a lookup only examines rows that agree with
//! the word's major opcode, funct3 and top six bits, most specific row first. Not here: 16-bit
//! instructions (`compressed.rs`).

use crate::compressed::decode_compressed;
use crate::format::Inst;
use crate::op::{Op, Row, Xlen};
use std::sync::OnceLock;

const BUCKETS: usize = 1 << 14;

/// The lookup key of a word: opcode 6:2, funct3, bits 31:26.
const fn key(word: u32) -> usize {
    ((word >> 2 & 31) << 9 | (word >> 12 & 7) << 6 | word >> 26) as usize
}

/// The rows sorted by key: `starts[k]..starts[k + 1]` of `rows` have key `k`.
struct Index {
    starts: Vec<u32>,
    rows: Vec<Op>,
}

impl Index {
    fn build() -> Self {
        let mut lists: Vec<Vec<Op>> = vec![Vec::new(); BUCKETS];
        for &op in Op::ALL {
            let row = op.row();
            let (want, care) = (key(row.matches), key(row.mask));
            // Steps through all values of the bits that the row leaves open. Testing every bucket
            // takes 8 ms, a large part of a process's first launch.
            let open = !care & (BUCKETS - 1);
            let mut value = 0_usize;
            loop {
                lists[want & care | value].push(op);
                value = value.wrapping_sub(open) & open;
                if value == 0 {
                    break;
                }
            }
        }
        let mut index = Self { starts: Vec::with_capacity(BUCKETS + 1), rows: Vec::new() };
        for mut list in lists {
            list.sort_by_key(|op| std::cmp::Reverse(op.row().mask.count_ones()));
            index.starts.push(u32::try_from(index.rows.len()).unwrap_or(u32::MAX));
            index.rows.extend(list);
        }
        index.starts.push(u32::try_from(index.rows.len()).unwrap_or(u32::MAX));
        index
    }

    fn candidates(&self, word: u32) -> &[Op] {
        let k = key(word);
        &self.rows[self.starts[k] as usize..self.starts[k + 1] as usize]
    }
}

fn index() -> &'static Index {
    static INDEX: OnceLock<Index> = OnceLock::new();
    INDEX.get_or_init(Index::build)
}

/// Decodes a 32-bit instruction; `None` if it is illegal or reserved at this width.
#[must_use]
pub fn decode(word: u32, xlen: Xlen) -> Option<Inst> {
    if word & 3 != 3 {
        return None;
    }
    let row = index()
        .candidates(word)
        .iter()
        .map(|op| op.row())
        .find(|r| word & r.mask == r.matches && r.xlen.has(xlen))?;
    fields(row, word, xlen)
}

fn fields(row: &Row, word: u32, xlen: Xlen) -> Option<Inst> {
    let mut inst = Inst::new(row.op);
    row.format
        .operands()
        .iter()
        .all(|operand| operand.extract(word, xlen, &mut inst))
        .then_some(inst)
}

/// Decodes the instruction at the start of `word`. A 16-bit instruction ignores the upper half.
#[must_use]
pub fn decode_any(word: u32, xlen: Xlen) -> Option<Inst> {
    if word & 3 == 3 { decode(word, xlen) } else { decode_compressed((word & 0xffff) as u16, xlen) }
}

/// Encodes an instruction as a 32-bit word; `None` if an operand does not fit or the width lacks
/// the instruction.
#[must_use]
pub fn encode(inst: &Inst, xlen: Xlen) -> Option<u32> {
    let row = inst.op.row();
    if !row.xlen.has(xlen) {
        return None;
    }
    row.format
        .operands()
        .iter()
        .try_fold(row.matches, |word, operand| Some(word | operand.insert(inst, xlen)?))
}
