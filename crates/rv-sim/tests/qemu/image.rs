//! Programs made of instruction words, as ELF files for QEMU and as memory for the simulator, and
//! their execution on both. Invariant: both run the same bytes.

use muxcl_rv_isa::{Inst, Op, encode};
use muxcl_rv_sim::{Exit, Hart, HartConfig, Memory, Xlen};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;

/// Load address of programs.
const BASE: u64 = 0x0040_0000;
const HEADER: usize = 0x1000;

/// The two machines to compare.
#[derive(Debug)]
pub(crate) struct Machine {
    pub(crate) xlen: Xlen,
    pub(crate) vlen: u32,
    qemu: PathBuf,
    cpu: String,
}

impl Machine {
    /// QEMU for this width, with the extensions under test.
    pub(crate) fn find(xlen: Xlen, vlen: u32) -> Self {
        let name = if xlen == Xlen::Rv64 { "rv64" } else { "rv32" };
        let qemu = PathBuf::from(format!("/usr/bin/qemu-risc{}", name.replace("rv", "v")));
        assert!(qemu.exists(), "{} is missing (Debian: qemu-user)", qemu.display());
        let base = format!("{name},v=true,vlen={vlen},elen=64,zba=true,zbb=true,zbc=true,zbs=true");
        let candidates =
            [format!("{base},zfh=true,zvfh=true"), format!("{base},vext_spec=v1.0,Zfh=true")];
        let mut probe = Program::new(xlen);
        probe.exit();
        let found = candidates.into_iter().find_map(|cpu| {
            let machine = Self { xlen, vlen, qemu: qemu.clone(), cpu };
            machine.qemu(&probe).map(|_| machine)
        });
        found.expect("qemu-user knows the V extension")
    }

    /// The output of QEMU; `None` when it fails.
    pub(crate) fn qemu(&self, program: &Program) -> Option<Vec<u8>> {
        let path = std::env::temp_dir().join(format!(
            "muxcl-rv-{}-{:?}.elf",
            std::process::id(),
            std::thread::current().id()
        ));
        std::fs::write(&path, program.elf()).expect("a temporary file");
        make_executable(&path);
        let output = Command::new(&self.qemu)
            .args(["-cpu", &self.cpu])
            .arg(&path)
            .stderr(Stdio::null())
            .output()
            .expect("QEMU starts");
        std::fs::remove_file(&path).expect("the temporary file");
        output.status.success().then_some(output.stdout)
    }

    /// A simulated hart whose memory holds only the program.
    pub(crate) fn hart(&self, program: &Program) -> Hart {
        let mut memory = Memory::new();
        let code: Vec<u8> = program.code.iter().flat_map(|w| w.to_le_bytes()).collect();
        memory
            .add_ram(BASE, Program::DATA - BASE + program.data.len() as u64 + 0x1000)
            .expect("a region");
        memory.write(0, BASE + HEADER as u64, &code).expect("it fits");
        memory.write(0, Program::DATA, &program.data).expect("it fits");
        let mut hart = Hart::new(0, &HartConfig::full(self.xlen, self.vlen), Arc::new(memory))
            .expect("a hart");
        hart.set_pc(BASE + HEADER as u64);
        hart
    }

    /// The output of the simulator.
    pub(crate) fn ours(&self, program: &Program) -> Vec<u8> {
        let mut hart = self.hart(program);
        let mut written = Vec::new();
        loop {
            match hart.run(u64::MAX) {
                Exit::Ecall if hart.x(17) == 64 => {
                    let mut bytes = vec![0; hart.x(12) as usize];
                    hart.memory().read(0, hart.x(11), &mut bytes).expect("written bytes are there");
                    written.extend(bytes);
                }
                Exit::Ecall if hart.x(17) == 93 => return written,
                other => panic!("our machine: {other:?}"),
            }
        }
    }
}

fn make_executable(path: &std::path::Path) {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755))
        .expect("the temporary file");
}

/// A program: code, then data, in one segment.
#[derive(Debug)]
pub(crate) struct Program {
    xlen: Xlen,
    code: Vec<u32>,
    data: Vec<u8>,
}

impl Program {
    pub(crate) fn new(xlen: Xlen) -> Self {
        Self { xlen, code: Vec::new(), data: Vec::new() }
    }

    /// Appends an instruction.
    pub(crate) fn emit(&mut self, inst: Inst) {
        let word = encode(&inst, self.xlen).unwrap_or_else(|| panic!("{inst:?} has no word"));
        self.code.push(word);
    }

    /// `op rd, rs1, rs2, imm`.
    pub(crate) fn op(&mut self, op: Op, rd: u8, rs1: u8, rs2: u8, imm: i32) {
        self.emit(Inst { rd, rs1, rs2, imm, ..Inst::new(op) });
    }

    /// Reserves space for code before the data, so that the data's address is known early.
    pub(crate) const DATA: u64 = BASE + 0x0020_0000;

    /// Appends data and returns its address.
    pub(crate) fn data(&mut self, bytes: &[u8]) -> u64 {
        let at = Self::DATA + self.data.len() as u64;
        self.data.extend_from_slice(bytes);
        at
    }

    /// Loads a constant below 2^31.
    pub(crate) fn constant(&mut self, rd: u8, value: u64) {
        let low = (value as i32) << 20 >> 20;
        self.op(Op::Lui, rd, 0, 0, (value as i32).wrapping_sub(low));
        self.op(Op::Addi, rd, rd, 0, low);
    }

    pub(crate) fn exit(&mut self) {
        self.op(Op::Addi, 10, 0, 0, 0);
        self.op(Op::Addi, 17, 0, 0, 93);
        self.emit(Inst::new(Op::Ecall));
    }

    /// Writes out all data and exits.
    pub(crate) fn finish(&mut self) {
        self.op(Op::Addi, 10, 0, 0, 1);
        self.constant(11, Self::DATA);
        self.constant(12, self.data.len() as u64);
        self.op(Op::Addi, 17, 0, 0, 64);
        self.emit(Inst::new(Op::Ecall));
        self.exit();
    }

    /// The memory contents from [`BASE`] on, with room for the header.
    fn bytes(&self) -> Vec<u8> {
        let mut bytes = vec![0; HEADER];
        bytes.extend(self.code.iter().flat_map(|w| w.to_le_bytes()));
        if !self.data.is_empty() {
            assert!(bytes.len() as u64 <= Self::DATA - BASE, "too much code");
            bytes.resize((Self::DATA - BASE) as usize, 0);
            bytes.extend_from_slice(&self.data);
        }
        bytes
    }

    /// A static executable.
    fn elf(&self) -> Vec<u8> {
        let mut bytes = self.bytes();
        let wide = self.xlen == Xlen::Rv64;
        let size = bytes.len() as u64;
        let mut head =
            vec![0x7f, b'E', b'L', b'F', if wide { 2 } else { 1 }, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        let (half, word) = (|v: u16| v.to_le_bytes().to_vec(), |v: u32| v.to_le_bytes().to_vec());
        let long = |v: u64| {
            if wide { v.to_le_bytes().to_vec() } else { (v as u32).to_le_bytes().to_vec() }
        };
        let header = if wide { 64 } else { 52 };
        // Type, machine, version, entry, program headers, section headers, flags (double-float
        // ABI), sizes.
        head.extend(
            [
                half(2),
                half(243),
                word(1),
                long(BASE + HEADER as u64),
                long(header),
                long(0),
                word(4),
            ]
            .concat(),
        );
        head.extend(
            [
                half(header as u16),
                half(if wide { 56 } else { 32 }),
                half(1),
                half(0),
                half(0),
                half(0),
            ]
            .concat(),
        );
        let (load, all) = (word(1), word(7));
        head.extend(if wide {
            [load, all, long(0), long(BASE), long(BASE), long(size), long(size), long(0x1000)]
                .concat()
        } else {
            [load, long(0), long(BASE), long(BASE), long(size), long(size), all, long(0x1000)]
                .concat()
        });
        bytes[..head.len()].copy_from_slice(&head);
        bytes
    }
}
