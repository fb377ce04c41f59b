//! Memory map of the RefSi devices. Invariant: docs/refsi.md lists the same addresses.

/// Loader ROM of M1: first address.
pub const M1_ROM: u64 = 0x2000_0000;
/// Loader ROM of M1: size in bytes.
pub const M1_ROM_SIZE: u64 = 0x1000;
/// Loader ROM of G1: first address.
pub const ROM: u64 = 0x1000;
/// Loader ROM of G1: size in bytes.
pub const ROM_SIZE: u64 = 0xf000;
/// Programs with fixed addresses: first address.
pub const ELF: u64 = 0x1_0000;
/// Programs with fixed addresses: size in bytes.
pub const ELF_SIZE: u64 = (1 << 27) - ELF;
/// Local memory of G1: first address.
pub const LOCAL: u64 = 0x1000_0000;
/// Local memory of G1: size in bytes.
pub const LOCAL_SIZE: u64 = 2 << 20;
/// Tightly coupled data memory of M1: first address.
pub const TCDM: u64 = 0x1000_0000;
/// Tightly coupled data memory of M1: size in bytes.
pub const TCDM_SIZE: u64 = 4 << 20;
/// The upper half of that memory, which is divided among harts.
pub const TCDM_HARTS: u64 = TCDM + (2 << 20);
/// Size in bytes of that half.
pub const TCDM_HARTS_SIZE: u64 = 2 << 20;
/// DMA registers of M1: first address.
pub const DMA: u64 = 0x2000_2000;
/// DMA registers of M1: bytes.
pub const DMA_SIZE: u64 = 0x100;
/// Performance counters: first address.
pub const PERF: u64 = 0x2010_0000;
/// Performance counters: 32 for each hart, then 32 for the device, 8 bytes each.
pub const PERF_SIZE: u64 = 64 * 8;
/// Hart-local memory: first address. On G1 the context is here.
pub const HART: u64 = 0x2080_0000;
/// Size of the context in bytes.
pub const CONTEXT_SIZE: u64 = 0x1000;
/// Lowest address of the stack. The range between context and stack is unmapped.
pub const STACK: u64 = HART + 0x1_0000;
/// DRAM: first address.
pub const DRAM: u64 = 0x4000_0000;
/// DRAM: size in bytes.
pub const DRAM_SIZE: u64 = 2 << 30;
