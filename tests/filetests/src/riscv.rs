//! A bare RISC-V machine that runs the kernels of one image, as a HAL does.
//!
//! It checks the image: no undefined symbol and, if the image is position-independent, only
//! relative relocations. It also checks that kernels write nothing behind their buffers.

use anyhow::{Context as _, Result, anyhow, bail};
use goblin::elf::{Elf, header, program_header};
use muxcl_rv_sim::{Exit, Extension, Hart, HartConfig, Memory, Xlen};
use muxcl_types::device::{DeviceDesc, HalTarget};
use muxcl_types::pack;
use muxcl_types::program::{ArgKind, ProgramInfo};
use muxcl_types::sched::{HalHidden, SchedInfo32, SchedInfo64};
use muxcl_types::variant::{ElfMeta, NOTE_SECTION};
use std::sync::Arc;

const BASE: u64 = 0x4000_0000;
const SIZE: u64 = 256 << 20;
const STACK: u64 = 16 << 20;
/// The return address of kernels: no memory is there, so the return faults and ends the run.
const RETURN: u64 = 0x1000;
/// Guard bytes behind each buffer, which kernels must not change.
const GUARD: usize = 256;
/// Limit of instructions in a kernel; every test needs fewer.
const LIMIT: u64 = 4_000_000_000;

/// Instruction sets and vector register lengths that every test runs on.
pub const DEVICES: &[(&str, u32)] = &[
    ("RV64GCV", 128),
    ("RV64GCV_Zba_Zbb", 512),
    ("RV64GC", 0),
    ("RV64IMAC", 0),
    ("RV32GCV", 256),
    ("RV32IMAC", 0),
];

/// The lengths of vector registers, in bits, with which tests run code with scalable vectors.
pub const LENGTHS: [u32; 4] = [128, 256, 512, 1024];

/// A device to compile for and run on. `vlen` is the length of its vector registers in bits. Code
/// that is compiled for length 0 has scalable vectors and runs with every length.
#[must_use]
pub fn device(isa: &str, vlen: u32) -> DeviceDesc {
    let bits = if isa.starts_with("RV32") { 32 } else { 64 };
    let mut device = crate::compile::device();
    device.extensions.extend(isa.contains("_Zfh").then(|| "cl_khr_fp16".to_owned()));
    DeviceDesc {
        id: format!("riscv{bits}"),
        address_bits: bits,
        hal: Some(HalTarget { isa: isa.into(), vlen, ..HalTarget::default() }),
        ..device
    }
}

/// An argument of a kernel.
#[derive(Debug)]
pub enum Arg<'a> {
    /// By value.
    Value(Vec<u8>),
    /// A buffer of its own on the device; its bytes are copied there and back.
    Buffer(&'a mut Vec<u8>),
    /// Local memory of this many bytes.
    Local(u64),
}

/// An NDRange.
#[derive(Debug, Clone, Copy)]
pub struct Range {
    /// Number of work-items in each dimension.
    pub global: [u64; 3],
    /// Number of work-items in a group, in each dimension.
    pub local: [u32; 3],
    /// Offset of the global ids.
    pub offset: [u64; 3],
}

impl Range {
    /// An NDRange of one dimension.
    #[must_use]
    pub fn line(global: u64, local: u32) -> Self {
        Self { global: [global, 1, 1], local: [local, 1, 1], offset: [0; 3] }
    }
}

/// The schedule structure that a machine passes to kernels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Layout {
    /// `hal_sched_info_{32,64}_t`, with boxes of several groups.
    #[default]
    Specified,
    /// `wg_info_t` of the oneAPI Construction Kit's HALs: 64-bit local sizes on 64-bit devices, one
    /// group for each call, and `num_groups_per_call` left 0.
    WgInfo,
}

/// An image in a machine's memory.
#[derive(Debug)]
pub struct Machine {
    layout: Layout,
    memory: Arc<Memory>,
    hart: Hart,
    meta: ElfMeta,
    symbols: Vec<(String, u64)>,
    free: u64,
    xlen: u32,
}

/// Boxes of one group each.
fn single_groups(groups: [u64; 3]) -> Vec<([u64; 3], [u64; 3])> {
    let rows = (0..groups[2]).flat_map(|z| (0..groups[1]).map(move |y| (y, z)));
    rows.flat_map(|(y, z)| (0..groups[0]).map(move |x| ([x, y, z], [1; 3]))).collect()
}

fn at(v: u64) -> usize {
    usize::try_from(v).unwrap_or(usize::MAX)
}

impl Machine {
    /// Loads `image` like the HAL of `device`. `more` adds devices to the memory map.
    ///
    /// # Errors
    /// The image violates the contract between compiler and HAL.
    pub fn new(
        device: &DeviceDesc,
        image: &[u8],
        more: impl FnOnce(&mut Memory) -> Result<()>,
    ) -> Result<Self> {
        let hal = device.hal.as_ref().context("a HAL device")?;
        let elf = Elf::parse(image)?;
        if elf.header.e_machine != header::EM_RISCV {
            bail!("the image is for machine {}", elf.header.e_machine);
        }
        let undefined: Vec<&str> = elf
            .syms
            .iter()
            .filter(|s| s.st_shndx == 0)
            .filter_map(|s| elf.strtab.get_at(s.st_name))
            .collect();
        if undefined.iter().any(|n| !n.is_empty()) {
            bail!("the image leaves undefined: {undefined:?}");
        }
        let base = match (elf.header.e_type, hal.linker_script.is_empty()) {
            (header::ET_DYN, true) => BASE,
            (header::ET_EXEC, false) => 0,
            (other, _) => bail!("the image is of type {other}"),
        };
        let mut memory = Memory::new();
        memory.add_ram(BASE, SIZE)?;
        more(&mut memory)?;
        let write = |address: u64, bytes: &[u8]| {
            memory.write(0, address, bytes).map_err(|e| anyhow!("loading to {address:#x}: {e:?}"))
        };
        let mut free = BASE;
        for p in &elf.program_headers {
            if p.p_type == program_header::PT_INTERP {
                bail!("the image requires an interpreter");
            }
            if p.p_type == program_header::PT_LOAD {
                write(base + p.p_vaddr, &image[at(p.p_offset)..at(p.p_offset + p.p_filesz)])?;
                free = free.max(base + p.p_vaddr + p.p_memsz);
            }
        }
        for r in elf.dynrelas.iter().chain(&elf.dynrels).chain(&elf.pltrelocs) {
            if r.r_type != goblin::elf::reloc::R_RISCV_RELATIVE {
                bail!("the image has a relocation of type {}", r.r_type);
            }
            let value = base.wrapping_add_signed(r.r_addend.context("an addend")?).to_le_bytes();
            write(base + r.r_offset, &value[..if elf.is_64 { 8 } else { 4 }])?;
        }
        let note = elf
            .section_headers
            .iter()
            .find(|s| elf.shdr_strtab.get_at(s.sh_name) == Some(NOTE_SECTION));
        let note = note.context("no note section")?;
        let meta =
            ElfMeta::from_note(&image[at(note.sh_offset)..at(note.sh_offset + note.sh_size)])
                .context("the note is damaged")?;
        let symbols = elf.syms.iter().filter(|s| s.st_shndx != 0);
        let symbols = symbols
            .filter_map(|s| Some((elf.strtab.get_at(s.st_name)?.to_owned(), base + s.st_value)));
        let symbols = symbols.collect();
        let memory = Arc::new(memory);
        let config = HartConfig {
            xlen: xlen(device),
            vlen: hal.vlen.max(64),
            extensions: extensions(&hal.isa),
            strict_alignment: false,
        };
        let mut hart = Hart::new(0, &config, memory.clone())?;
        hart.set_return_address(Some(RETURN));
        Ok(Self {
            layout: Layout::default(),
            memory,
            hart,
            meta,
            symbols,
            free: free.next_multiple_of(4096),
            xlen: device.address_bits,
        })
    }

    /// The same machine, which passes another schedule structure to its kernels.
    #[must_use]
    pub fn with_layout(self, layout: Layout) -> Self {
        Self { layout, ..self }
    }

    /// The memory of the machine.
    #[must_use]
    pub fn memory(&self) -> &Arc<Memory> {
        &self.memory
    }

    /// The kernel variants in the image.
    #[must_use]
    pub fn meta(&self) -> &ElfMeta {
        &self.meta
    }

    /// Number of instructions executed so far.
    #[must_use]
    pub fn retired(&self) -> u64 {
        self.hart.retired()
    }

    /// Calls the kernel for every group, in boxes like those of HALs.
    ///
    /// # Errors
    /// The image has no such kernel, the kernel faults, or it writes behind a buffer.
    pub fn run(
        &mut self,
        info: &ProgramInfo,
        kernel: &str,
        args: &mut [Arg<'_>],
        range: &Range,
    ) -> Result<()> {
        let variant =
            self.meta.variants.iter().find(|v| v.kernel == kernel).context("no such variant")?;
        let entry =
            self.symbols.iter().find(|s| s.0 == variant.symbol).context("no entry point")?.1;
        let info = info.kernel(kernel).context("no such kernel")?;
        let word = self.xlen / 8;
        let (layout, hidden_at) = pack::hal_layout(&info.args, info.enqueues, word);
        if layout.size != variant.packed_bytes {
            bail!(
                "the variant reads {} bytes of arguments, the layout has {}",
                variant.packed_bytes,
                layout.size
            );
        }
        if args.len() != info.args.len() {
            bail!("{} arguments for {}", args.len(), info.args.len());
        }
        let mut packed = vec![0u8; layout.size as usize];
        let mut put = |at: u32, bytes: &[u8]| {
            packed[at as usize..at as usize + bytes.len()].copy_from_slice(bytes)
        };
        let mut free = self.free;
        let mut buffers = Vec::new();
        for ((arg, about), to) in args.iter_mut().zip(&info.args).zip(&layout.offsets) {
            let word = word as usize;
            match arg {
                Arg::Value(bytes) => put(*to, bytes),
                Arg::Local(size) if about.kind == ArgKind::LocalPointer => {
                    put(*to, &size.to_le_bytes()[..word])
                }
                Arg::Local(_) => bail!("no local pointer"),
                Arg::Buffer(bytes) => {
                    put(*to, &free.to_le_bytes()[..word]);
                    self.write(free, bytes)?;
                    self.write(free + bytes.len() as u64, &[0xa5; GUARD])?;
                    buffers.push((free, bytes));
                    let len = buffers.last().map_or(0, |b| b.1.len());
                    free = (free + (len + GUARD) as u64).next_multiple_of(256);
                }
            }
        }
        let hidden = HalHidden { global_size: range.global, printf_buffer: 0 };
        put(hidden_at, bytemuck::bytes_of(&hidden));
        let (packed_at, sched_at) = (free, (free + packed.len() as u64).next_multiple_of(256));
        self.write(packed_at, &packed)?;
        let groups = [0, 1, 2].map(|d| range.global[d].div_ceil(range.local[d].into()));
        let rank =
            (1..=3u32).rev().find(|r| *r == 1 || range.global[*r as usize - 1] > 1).unwrap_or(1);
        let boxes = match self.layout {
            Layout::Specified => crate::run::boxes(groups),
            Layout::WgInfo => single_groups(groups),
        };
        for (start, count) in boxes {
            let sched = match self.layout {
                Layout::Specified => self.sched(start, groups, count, range, rank),
                Layout::WgInfo => self.wg_info(start, groups, range, rank),
            };
            self.write(sched_at, &sched)?;
            self.call(entry, packed_at, sched_at)
                .with_context(|| format!("kernel {kernel}, groups {start:?}"))?;
        }
        for (address, bytes) in buffers {
            self.memory.read(0, address, bytes).map_err(|e| anyhow!("{e:?}"))?;
            let mut guard = [0; GUARD];
            self.memory
                .read(0, address + bytes.len() as u64, &mut guard)
                .map_err(|e| anyhow!("{e:?}"))?;
            if guard != [0xa5; GUARD] {
                bail!("the kernel wrote past the end of its buffer");
            }
        }
        Ok(())
    }

    fn sched(
        &self,
        start: [u64; 3],
        groups: [u64; 3],
        count: [u64; 3],
        range: &Range,
        rank: u32,
    ) -> Vec<u8> {
        if self.xlen == 64 {
            let sched = SchedInfo64 {
                group_id_start: start,
                num_groups_total: groups,
                global_offset: range.offset,
                local_size: range.local,
                num_dim: rank,
                num_groups_per_call: count,
                hal_extra: 0,
            };
            return bytemuck::bytes_of(&sched).to_vec();
        }
        let short = |v: [u64; 3]| v.map(|n| u32::try_from(n).unwrap_or(u32::MAX));
        let sched = SchedInfo32 {
            group_id_start: short(start),
            num_groups_total: short(groups),
            global_offset: short(range.offset),
            local_size: range.local,
            num_dim: rank,
            num_groups_per_call: short(count),
            hal_extra: 0,
        };
        bytemuck::bytes_of(&sched).to_vec()
    }

    /// `wg_info_t` with `hal_extra` set, as the HALs that pass it do.
    fn wg_info(&self, group: [u64; 3], groups: [u64; 3], range: &Range, rank: u32) -> Vec<u8> {
        let size = at(u64::from(self.xlen / 8));
        let words = |bytes: &mut Vec<u8>, list: &[u64]| {
            bytes.extend(list.iter().flat_map(|n| n.to_le_bytes().into_iter().take(size)));
        };
        let mut bytes = Vec::new();
        for list in [group, groups, range.offset, range.local.map(u64::from)] {
            words(&mut bytes, &list);
        }
        bytes.extend(rank.to_le_bytes());
        bytes.resize(bytes.len().next_multiple_of(size), 0);
        words(&mut bytes, &[0, 0, 0, 0x2080_0000]);
        bytes
    }

    fn write(&self, address: u64, bytes: &[u8]) -> Result<()> {
        self.memory.write(0, address, bytes).map_err(|e| anyhow!("writing {address:#x}: {e:?}"))
    }

    fn call(&mut self, entry: u64, packed: u64, sched: u64) -> Result<()> {
        let top = BASE + SIZE - 4096;
        for (register, value) in [(1, RETURN), (2, top), (3, 0), (4, 0), (10, packed), (11, sched)]
        {
            self.hart.set_x(register, value);
        }
        self.hart.set_pc(entry);
        match self.hart.run(LIMIT) {
            Exit::Returned if self.hart.x(2) & 0xffff_ffff == top => Ok(()),
            Exit::Returned => bail!("the stack pointer is {:#x} after the call", self.hart.x(2)),
            Exit::Fault(fault) => bail!("{fault} (in {})", self.symbol_at(fault.pc)),
            other => bail!(
                "stopped by {other:?} at {:#x} (in {})",
                self.hart.pc(),
                self.symbol_at(self.hart.pc())
            ),
        }
    }

    fn symbol_at(&self, pc: u64) -> &str {
        let below =
            self.symbols.iter().filter(|s| s.1 <= pc && !s.0.is_empty() && !s.0.starts_with('$'));
        below.max_by_key(|s| s.1).map_or("nothing", |s| &s.0)
    }
}

const _: () = assert!(STACK < SIZE);

fn xlen(device: &DeviceDesc) -> Xlen {
    if device.address_bits == 32 { Xlen::Rv32 } else { Xlen::Rv64 }
}

/// The extensions that the machine executes: exactly those that the instruction set's name lists.
fn extensions(isa: &str) -> Vec<Extension> {
    use Extension::{A, C, D, F, M, V, Zba, Zbb, Zbc, Zbs, Zfh, Zvfh};
    let mut parts = isa.split('_');
    let letters = parts.next().unwrap_or_default();
    let mut list = Vec::new();
    for letter in letters.get(4..).unwrap_or_default().chars() {
        match letter {
            'G' => list.extend([M, A, F, D]),
            'M' => list.push(M),
            'A' => list.push(A),
            'F' => list.push(F),
            'D' => list.extend([F, D]),
            'C' => list.push(C),
            'V' => list.push(V),
            _ => {}
        }
    }
    for part in parts {
        match part {
            "Zba" => list.push(Zba),
            "Zbb" => list.push(Zbb),
            "Zbc" => list.push(Zbc),
            "Zbs" => list.push(Zbs),
            "Zfh" => list.push(Zfh),
            "Zvfh" => list.push(Zvfh),
            _ => {}
        }
    }
    list
}
