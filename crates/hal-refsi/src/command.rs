//! Encodes and decodes packets of the command processor. Invariant: [`Header::read`] decodes
//! everything that [`Buffer`] encodes. Not here: execution (`processor.rs`).

/// Operation codes.
pub mod opcode {
    /// No operation.
    pub const NOP: u8 = 0;
    /// End of the buffer.
    pub const FINISH: u8 = 1;
    /// Sets a register.
    pub const WRITE_REG64: u8 = 2;
    /// Loads a register from memory.
    pub const LOAD_REG64: u8 = 3;
    /// Stores a register to memory.
    pub const STORE_REG64: u8 = 4;
    /// Stores an immediate to memory.
    pub const STORE_IMM64: u8 = 5;
    /// Copies words, one at a time.
    pub const COPY_MEM64: u8 = 6;
    /// Runs a kernel with packed arguments.
    pub const RUN_KERNEL_SLICE: u8 = 7;
    /// Runs a function with arguments in registers.
    pub const RUN_INSTANCES: u8 = 8;
    /// Synchronizes caches with memory.
    pub const SYNC_CACHE: u8 = 9;
}

/// Registers of the command processor.
pub mod register {
    /// Free for the program's use.
    pub const SCRATCH: u32 = 0;
    /// Address of the entry function.
    pub const ENTRY_PT_FN: u32 = 1;
    /// Uniform block: address in bits 0 to 47, size in units of 256 bytes above.
    pub const KUB_DESC: u32 = 2;
    /// Packed arguments: offset in the uniform block in bits 16 to 39, size in bytes above.
    pub const KARGS_INFO: u32 = 3;
    /// Data copied for each hart: offset in the uniform block in bits 16 to 39, size in bytes
    /// above.
    pub const TSD_INFO: u32 = 4;
    /// Stack pointer.
    pub const STACK_TOP: u32 = 5;
    /// Return address of functions.
    pub const RETURN_ADDR: u32 = 6;
    /// First of eight registers: a window's first address.
    pub const WINDOW_BASE: u32 = 8;
    /// First of eight registers: the address that a window maps to.
    pub const WINDOW_TARGET: u32 = 16;
    /// First of eight registers: bit 0 active, bits 1 and 2 mode, size - 1 in bits 32 to 63.
    pub const WINDOW_MODE: u32 = 24;
    /// First of eight registers: exponent in bits 0 to 4, factor in bits 32 to 63. `factor <<
    /// exponent` is the distance in bytes between the memory of consecutive harts.
    pub const WINDOW_SCALE: u32 = 32;
    /// Number of registers.
    pub const COUNT: u32 = 40;
}

/// Bits of a window's mode register.
pub mod window {
    /// The window is active.
    pub const ACTIVE: u64 = 1;
    /// Each hart sees its own memory.
    pub const PER_HART: u64 = 2;
    /// Each core sees its own memory; the device has one core.
    pub const PER_CORE: u64 = 4;
    /// Position of the mode field.
    pub const MODE: u64 = 6;
}

/// Bits of `SYNC_CACHE`.
pub mod cache {
    /// Data caches.
    pub const DATA: u32 = 1;
    /// Instruction caches.
    pub const INSTRUCTIONS: u32 = 2;
}

/// The header, a packet's first word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Header {
    /// Operation code.
    pub opcode: u8,
    /// Number of payload words.
    pub payload: u32,
    /// Inline operand.
    pub inline: u32,
}

impl Header {
    /// Encodes the header.
    #[must_use]
    pub fn word(self) -> u64 {
        u64::from(self.opcode) << 8
            | u64::from((self.payload * 2) & 0x3fff) << 16
            | 3 << 30
            | u64::from(self.inline) << 32
    }

    /// Decodes a header; `None` if the word is not a header.
    #[must_use]
    pub fn read(word: u64) -> Option<Self> {
        let [zero, opcode, ..] = word.to_le_bytes();
        let count = u32::try_from(word >> 16 & 0x3fff).ok()?;
        let valid = zero == 0 && word >> 30 & 3 == 3 && count.is_multiple_of(2);
        valid.then_some(Self {
            opcode,
            payload: count / 2,
            inline: u32::try_from(word >> 32).ok()?,
        })
    }
}

/// A command buffer under construction.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Buffer {
    words: Vec<u64>,
}

impl Buffer {
    /// An empty command buffer.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends a packet.
    pub fn packet(&mut self, opcode: u8, inline: u32, payload: &[u64]) -> &mut Self {
        let count = u32::try_from(payload.len()).unwrap_or(0);
        self.words.push(Header { opcode, payload: count, inline }.word());
        self.words.extend(payload);
        self
    }

    /// Appends a packet that sets a register.
    pub fn write(&mut self, register: u32, value: u64) -> &mut Self {
        self.packet(opcode::WRITE_REG64, register, &[value])
    }

    /// Appends the packets that set up a window.
    pub fn window(&mut self, index: u32, w: &muxcl_rv_sim::Window) -> &mut Self {
        let per_hart = if w.scale == 0 { 0 } else { window::PER_HART };
        self.write(register::WINDOW_MODE + index, 0)
            .write(register::WINDOW_BASE + index, w.base)
            .write(register::WINDOW_TARGET + index, w.target)
            .write(register::WINDOW_SCALE + index, w.scale << 32);
        if w.size != 0 {
            let mode = (w.size - 1) << 32 | per_hart | window::ACTIVE;
            self.write(register::WINDOW_MODE + index, mode);
        }
        self
    }

    /// Appends a packet that runs a kernel `instances` times on at most `harts` harts (0: all).
    pub fn run_slice(&mut self, harts: u32, instances: u64, slice: u64) -> &mut Self {
        self.packet(opcode::RUN_KERNEL_SLICE, harts & 0xff, &[instances, slice])
    }

    /// Ends the buffer and returns its bytes.
    #[must_use]
    pub fn finish(&mut self) -> Vec<u8> {
        self.packet(opcode::FINISH, 0, &[]);
        self.words.iter().flat_map(|w| w.to_le_bytes()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_read_back() {
        for header in [
            Header { opcode: 1, payload: 0, inline: 0 },
            Header { opcode: 8, payload: 8, inline: 0x704 },
            Header { opcode: 5, payload: 1, inline: u32::MAX },
        ] {
            assert_eq!(Header::read(header.word()), Some(header));
        }
        assert_eq!(Header { opcode: 2, payload: 1, inline: 6 }.word(), 0x6_c002_0200);
        for wrong in [0, 0x6_c002_0201, 0x6_8002_0200, 0x6_c003_0200, u64::MAX] {
            assert_eq!(Header::read(wrong), None, "{wrong:#x}");
        }
    }
}
