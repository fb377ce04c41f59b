//! Memory of small buffers, apart from the application's heap.
//!
//! A kernel that writes past its buffer must not damage the heap: the process would end much later,
//! in `free`. So small buffers are blocks of *slabs*, mappings of their own, whose lists are
//! elsewhere. Behind each buffer lie at least [`PADDING`] bytes that nothing uses.
//!
//! Blocks of a slab have one size. The sizes are odd multiples of 128 bytes where the alignment
//! allows, so that equal buffers do not begin at the same place in a page: caches and store buffers
//! compare such addresses slowly.
//!
//! Invariant: a block has one owner, and its memory is zero when it is given out. Not here: large
//! buffers ([`crate::memory`]).

use std::collections::{BTreeMap, BTreeSet};

use muxcl_lock::{Mutex, Rank};
use muxcl_os::{Mapping, PerProcess, Protection, fork_generation};

/// Unused bytes behind each buffer, at least.
pub(crate) const PADDING: usize = 256;
/// Alignment of all blocks, in bytes.
const UNIT: usize = 128;
/// Bytes of a slab; more if that is less than [`FEWEST`] blocks. Only what is used takes memory.
const SLAB: usize = 1 << 20;
const FEWEST: usize = 8;

/// A block in use.
#[derive(Debug)]
pub(crate) struct Block {
    size: usize,
    slab: usize,
    number: u32,
    address: *mut u8,
    fork_generation: u32,
}

#[derive(Debug)]
struct Slab {
    map: Mapping,
    /// Blocks that were in use and are free now.
    freed: Vec<u32>,
    /// Blocks from this number on have never been in use, so they are zero.
    fresh: u32,
    count: u32,
}

/// The slabs of one block size, by their addresses.
#[derive(Debug, Default)]
struct Class {
    slabs: BTreeMap<usize, Slab>,
    /// The slabs that have room.
    roomy: BTreeSet<usize>,
}

/// The slabs of each block size.
#[derive(Debug)]
struct Slabs(Mutex<BTreeMap<usize, Class>>);

impl Default for Slabs {
    fn default() -> Self {
        Self(Mutex::new(Rank::Leaf, BTreeMap::new()))
    }
}

static SLABS: PerProcess<Slabs> = PerProcess::new();

/// The size of the blocks for buffers of `bytes` bytes.
fn block_size(bytes: usize, align: usize) -> Option<usize> {
    let needed = bytes.checked_add(PADDING)?;
    // Eight sizes for each power of two: at most an eighth is wasted.
    let step = (needed.next_power_of_two() / 16).max(UNIT);
    let size = needed.checked_next_multiple_of(step)?;
    if align > UNIT {
        size.checked_next_multiple_of(align)
    } else if (size / UNIT).is_multiple_of(2) {
        size.checked_add(UNIT)
    } else {
        Some(size)
    }
}

impl Slab {
    fn new(size: usize) -> Option<Self> {
        let map = Mapping::new(SLAB.max(size.checked_mul(FEWEST)?), Protection::ReadWrite).ok()?;
        let count = u32::try_from(map.len() / size).ok()?;
        // Frees must not allocate.
        let mut freed = Vec::new();
        freed.try_reserve_exact(count as usize).ok()?;
        Some(Self { map, freed, fresh: 0, count })
    }

    fn has_room(&self) -> bool {
        !self.freed.is_empty() || self.fresh < self.count
    }

    fn is_unused(&self) -> bool {
        self.freed.len() == self.fresh as usize
    }

    /// A block's number, and whether it was in use before.
    fn take(&mut self) -> (u32, bool) {
        if let Some(number) = self.freed.pop() {
            return (number, true);
        }
        self.fresh += 1;
        (self.fresh - 1, false)
    }
}

impl Block {
    /// A block of zeros for `bytes` bytes; `None` if the system has no memory. `align` is a power
    /// of two, at most a page.
    pub(crate) fn allocate(bytes: usize, align: usize) -> Option<Self> {
        let size = block_size(bytes, align)?;
        let (slab, number, used, start) = {
            let mut slabs = SLABS.get().0.lock();
            let class = slabs.entry(size).or_default();
            let at = match class.roomy.first() {
                Some(at) => *at,
                None => {
                    let new = Slab::new(size)?;
                    let at = new.map.as_ptr().expose_provenance();
                    class.slabs.insert(at, new);
                    class.roomy.insert(at);
                    at
                }
            };
            let slab = class.slabs.get_mut(&at)?;
            let (number, used) = slab.take();
            if !slab.has_room() {
                class.roomy.remove(&at);
            }
            (at, number, used, slab.map.as_ptr())
        };
        let address = start.wrapping_add(size * number as usize);
        if used {
            // SAFETY: the block is inside its slab and has no other owner.
            unsafe { address.write_bytes(0, bytes) };
        }
        Some(Self { size, slab, number, address, fork_generation: fork_generation() })
    }

    /// Its first byte.
    pub(crate) fn address(&self) -> *mut u8 {
        self.address
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        // The slabs of a parent before a `fork` are not this process's.
        if self.fork_generation != fork_generation() {
            return;
        }
        let mut slabs = SLABS.get().0.lock();
        let Some(class) = slabs.get_mut(&self.size) else { return };
        let Some(slab) = class.slabs.get_mut(&self.slab) else { return };
        slab.freed.push(self.number);
        let unused = slab.is_unused();
        class.roomy.insert(self.slab);
        // One slab with room stays for the next buffers.
        let gone = if unused && class.roomy.len() > 1 {
            class.roomy.remove(&self.slab);
            class.slabs.remove(&self.slab)
        } else {
            None
        };
        drop(slabs);
        // Unmapping takes time, so it happens without the lock.
        drop(gone);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_padding_and_waste_little() {
        for bytes in (1..2000).chain([4096, 65_536, 70_000, 1 << 20]) {
            let size = block_size(bytes, 1).unwrap();
            assert!(size >= bytes + PADDING && size % 256 == 128, "{bytes}: {size}");
            assert!(size <= bytes + bytes / 7 + PADDING + 2 * UNIT, "{bytes}: {size}");
            let aligned = block_size(bytes, 4096).unwrap();
            assert!(
                aligned >= bytes + PADDING && aligned.is_multiple_of(4096),
                "{bytes}: {aligned}"
            );
        }
        assert_eq!(block_size(usize::MAX, 1), None);
    }

    #[test]
    fn blocks_do_not_overlap_and_are_zero() {
        let bytes = 5000;
        let mut blocks = Vec::new();
        for round in 0..3 {
            for _ in 0..500 {
                let block = Block::allocate(bytes, 1).unwrap();
                // SAFETY: the block has so many bytes.
                let content = unsafe { std::slice::from_raw_parts_mut(block.address(), bytes) };
                assert!(content.iter().all(|b| *b == 0), "round {round}");
                content.fill(0xff);
                blocks.push(block);
            }
            let mut starts: Vec<usize> = blocks.iter().map(|b| b.address().addr()).collect();
            starts.sort_unstable();
            assert!(starts.windows(2).all(|w| w[1] - w[0] >= bytes + PADDING));
            assert!(starts.iter().all(|start| start % UNIT == 0));
            blocks.truncate(100);
        }
        drop(blocks);
        let slabs = SLABS.get().0.lock();
        assert_eq!(slabs[&block_size(bytes, 1).unwrap()].slabs.len(), 1, "one slab stays");
    }

    #[test]
    fn alignments_up_to_a_page_hold() {
        for align in [1, 128, 256, 1024, 4096] {
            let blocks: Vec<Block> =
                (0..40).map(|_| Block::allocate(100, align).unwrap()).collect();
            assert!(blocks.iter().all(|b| b.address().addr() % align.max(UNIT) == 0), "{align}");
        }
    }

    #[test]
    fn threads_allocate_and_free_at_once() {
        std::thread::scope(|scope| {
            for thread in 0..4_u8 {
                scope.spawn(move || {
                    for round in 0..200 {
                        let blocks: Vec<Block> =
                            (0..20).map(|n| Block::allocate(300 + n * 40, 1).unwrap()).collect();
                        for block in &blocks {
                            // SAFETY: the block has so many bytes.
                            unsafe { block.address().write_bytes(thread, 300) };
                        }
                        for block in &blocks {
                            // SAFETY: as above.
                            let content =
                                unsafe { std::slice::from_raw_parts(block.address(), 300) };
                            assert!(content.iter().all(|b| *b == thread), "round {round}");
                        }
                    }
                });
            }
        });
    }
}
