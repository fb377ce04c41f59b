//! Kernel arguments: descriptors, and the block that packs them in the kernel ABI's layout.

use crate::{Buffer, DeviceQueue, MuxError};
use muxcl_types::pack::PackedLayout;
use std::sync::Arc;

/// The value of an argument.
#[derive(Debug, Clone)]
pub enum Descriptor {
    /// Not set yet.
    Unset,
    /// A buffer, with an offset in bytes.
    Buffer(Buffer, u64),
    /// A device address, which the caller keeps valid while the kernel runs.
    Address(u64),
    /// A NULL buffer.
    NullBuffer,
    /// Bytes passed by value.
    PlainData,
    /// The pixels of an image: a buffer, with an offset in bytes. The argument is a descriptor that
    /// begins with their address.
    Image(Buffer, u64),
    /// Local memory of this many bytes.
    LocalBuffer(u64),
    /// A device-side queue.
    Queue(DeviceQueue),
}

#[derive(Debug, Clone, Copy)]
#[repr(C, align(128))]
struct Chunk([u8; 128]);

/// The arguments of one launch: packed bytes (aligned to 128) and the objects they refer to.
///
/// The API layer keeps it in an `Arc`: an enqueue takes a reference, and a change after an enqueue
/// copies it (`Arc::make_mut`).
#[derive(Debug, Clone)]
pub struct ArgBlock {
    layout: Arc<PackedLayout>,
    chunks: Vec<Chunk>,
    slots: Vec<Descriptor>,
    unset: usize,
    word: usize,
}

impl ArgBlock {
    /// Creates a block with all arguments unset. `word` is the device's pointer size in bytes (4 or
    /// 8).
    #[must_use]
    pub fn new(layout: Arc<PackedLayout>, word: usize) -> Self {
        let chunks = vec![Chunk([0; 128]); (layout.size as usize).div_ceil(128).max(1)];
        let slots = vec![Descriptor::Unset; layout.offsets.len()];
        Self { unset: slots.len(), layout, chunks, slots, word }
    }

    /// The layout: the offset of each argument, and the size of the block.
    #[must_use]
    pub fn layout(&self) -> &PackedLayout {
        &self.layout
    }

    /// The packed bytes that the kernel reads.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        let all: &[Chunk] = &self.chunks;
        // SAFETY: `Chunk` is `repr(C)` over bytes with no padding, so the slice is that many
        // initialised bytes.
        unsafe { std::slice::from_raw_parts(all.as_ptr().cast::<u8>(), all.len() * 128) }
    }

    /// The bytes of one argument.
    #[must_use]
    pub fn value(&self, index: usize) -> Option<&[u8]> {
        let at = *self.layout.offsets.get(index)? as usize;
        self.bytes().get(at..at + *self.layout.sizes.get(index)? as usize)
    }

    /// The four bytes at `offset` bytes in the packed arguments, read as a little-endian number.
    /// `None` if the block is shorter.
    #[must_use]
    pub fn word(&self, offset: u32) -> Option<u32> {
        let at = usize::try_from(offset).ok()?;
        let bytes = self.bytes().get(at..at.checked_add(4)?)?;
        Some(u32::from_le_bytes(bytes.try_into().ok()?))
    }

    fn bytes_mut(&mut self) -> &mut [u8] {
        let all: &mut [Chunk] = &mut self.chunks;
        // SAFETY: as in `bytes`; every bit pattern is a valid `Chunk`, and the borrow is exclusive.
        unsafe { std::slice::from_raw_parts_mut(all.as_mut_ptr().cast::<u8>(), all.len() * 128) }
    }

    /// The value of each argument.
    #[must_use]
    pub fn descriptors(&self) -> &[Descriptor] {
        &self.slots
    }

    /// True if every argument has been set.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.unset == 0
    }

    /// Total size of the local arguments, each aligned to 128 bytes. At most `u64::MAX`, which no
    /// device has.
    #[must_use]
    pub fn local_bytes(&self) -> u64 {
        self.slots
            .iter()
            .map(|s| {
                if let Descriptor::LocalBuffer(n) = s {
                    n.checked_next_multiple_of(muxcl_types::sched::LOCAL_ALIGN).unwrap_or(u64::MAX)
                } else {
                    0
                }
            })
            .fold(0, u64::saturating_add)
    }

    /// Sets argument `index` to bytes passed by value.
    ///
    /// # Errors
    /// `InvalidValue` for a bad index or size.
    pub fn set_data(&mut self, index: usize, data: &[u8]) -> Result<(), MuxError> {
        self.put(index, data, Descriptor::PlainData)
    }

    /// Sets argument `index` to a buffer, local memory or NULL.
    ///
    /// # Errors
    /// `InvalidValue` for an invalid index, or a descriptor whose value is set by another function.
    pub fn set(&mut self, index: usize, descriptor: Descriptor) -> Result<(), MuxError> {
        let word = match &descriptor {
            Descriptor::Buffer(b, offset) => b.device_address().wrapping_add(*offset),
            Descriptor::Address(address) => *address,
            Descriptor::NullBuffer => 0,
            Descriptor::LocalBuffer(size) => *size,
            Descriptor::Queue(queue) => queue.handle(),
            Descriptor::Unset | Descriptor::PlainData | Descriptor::Image(..) => {
                return Err(MuxError::InvalidValue("descriptor without a value"));
            }
        };
        let bytes = word.to_le_bytes();
        let n = self.word.min(8);
        self.put(index, &bytes[..n], descriptor)
    }

    /// Sets argument `index` to a number of pointer size.
    ///
    /// # Errors
    /// As [`Self::set_data`].
    pub fn set_word(&mut self, index: usize, value: u64) -> Result<(), MuxError> {
        let n = self.word.min(8);
        self.put(index, &value.to_le_bytes()[..n], Descriptor::PlainData)
    }

    /// Sets argument `index` to an image. Kernels read `descriptor`, but its first eight bytes
    /// become the address of the pixels, `offset` bytes into `buffer`.
    ///
    /// # Errors
    /// `InvalidValue` for a bad index or size.
    pub fn set_image(
        &mut self,
        index: usize,
        descriptor: &[u8],
        buffer: Buffer,
        offset: u64,
    ) -> Result<(), MuxError> {
        let mut bytes = [0; muxcl_types::pack::IMAGE_SIZE as usize];
        let Some(rest) = descriptor.get(8..bytes.len()).filter(|_| descriptor.len() == bytes.len())
        else {
            return Err(MuxError::InvalidValue("size of an image's descriptor"));
        };
        bytes[..8].copy_from_slice(&buffer.device_address().wrapping_add(offset).to_le_bytes());
        bytes[8..].copy_from_slice(rest);
        self.put(index, &bytes, Descriptor::Image(buffer, offset))
    }

    fn put(&mut self, index: usize, data: &[u8], descriptor: Descriptor) -> Result<(), MuxError> {
        let (Some(&offset), Some(&size)) =
            (self.layout.offsets.get(index), self.layout.sizes.get(index))
        else {
            return Err(MuxError::InvalidValue("argument index"));
        };
        if data.len() != size as usize {
            return Err(MuxError::InvalidValue("argument size"));
        }
        let at = offset as usize;
        self.bytes_mut()[at..at + data.len()].copy_from_slice(data);
        if matches!(self.slots[index], Descriptor::Unset) {
            self.unset -= 1;
        }
        self.slots[index] = descriptor;
        Ok(())
    }
}
