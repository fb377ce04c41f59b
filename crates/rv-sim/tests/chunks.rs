//! Compares the chunked fast paths of vector instructions with the elementwise forms: each
//! instruction runs without a mask and under a mask of ones. All registers and flags must agree.
//! Not here: correctness of both (`qemu`).
#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "the test uses some of the random bits"
)]

use fastrand::Rng;
use muxcl_rv_isa::{Inst, Op, Xlen, csr, encode};
use muxcl_rv_sim::{Exit, Hart, HartConfig, Memory};
use std::sync::Arc;

const CODE: u64 = 0x1_0000;
const DATA: u64 = 0x8000_0000;

/// Bits of a random number of the given size: small integers as floats, normal numbers,
/// sometimes arbitrary bits.
fn element(random: &mut Rng, size: usize, kind: u64) -> u64 {
    let r = random.u64(..);
    match (size, kind) {
        (4, 0) => ((r % 17) as f32 - 8.0).to_bits().into(),
        (8, 0) => ((r % 17) as f64 - 8.0).to_bits(),
        (4, 1) => (((r >> 40) as f32) / 1e6 - 8.0).to_bits().into(),
        (8, 1) => (((r >> 20) as f64) / 1e12 - 8.0).to_bits(),
        (4, 2) if r.is_multiple_of(5) => u64::from(
            [0u32, 1, 0x8000_0000, 0x7f80_0000, 0x7fc0_0000, 0x7f80_0001, 0x0080_0000]
                [(r >> 8) as usize % 7],
        ),
        (8, 2) if r.is_multiple_of(5) => {
            [0u64, 1, 1 << 63, 0x7ff0 << 48, 0x7ff8 << 48, (0x7ff0 << 48) + 1, 1 << 52]
                [(r >> 8) as usize % 7]
        }
        _ => r,
    }
}

/// Whether `quick.rs` implements the instruction and the instruction has a masked form.
fn chosen(op: Op) -> bool {
    let name = op.row().mnemonic;
    let starts = [
        "vadd.", "vsub.", "vrsub.", "vand.", "vor.", "vxor.", "vsll.", "vsrl.", "vsra.", "vmul.",
        "vmacc.", "vnmsac.", "vmadd.", "vmin", "vmax", "vfadd.", "vfsub.", "vfrsub.", "vfmul.",
        "vfdiv.", "vfmacc.", "vfnmacc.", "vfmsac.", "vfnmsac.", "vfmadd.", "vfnmadd.", "vfmsub.",
        "vfnmsub.", "vle8.", "vle16.", "vle32.", "vle64.", "vse8.", "vse16.", "vse32.", "vse64.",
    ];
    starts.iter().any(|s| name.starts_with(s)) && !name.ends_with("m")
}

#[test]
fn chunks_are_what_elements_are() {
    let ops: Vec<Op> = Op::ALL.iter().copied().filter(|op| chosen(*op)).collect();
    assert!(ops.len() > 70, "{}", ops.len());
    let (mut random, mut done) = (Rng::with_seed(9), 0);
    for vlen in [64u32, 128, 256, 512, 2048] {
        let vlenb = vlen as usize / 8;
        let mut memory = Memory::new();
        memory.add_ram(CODE, 4096).expect("code");
        memory.add_ram(DATA, 1 << 16).expect("memory");
        let memory = Arc::new(memory);
        let mut harts = [0, 1].map(|id| {
            Hart::new(id, &HartConfig::full(Xlen::Rv64, vlen), memory.clone()).expect("a hart")
        });
        for round in 0..60 * ops.len() {
            let op = ops[round % ops.len()];
            let float = op.row().mnemonic.starts_with("vf");
            let sew = if float { 2 + random.u64(..) % 2 } else { random.u64(..) % 4 };
            let lmul = [0, 0, 1, 2, 3, 7][random.u64(..) as usize % 6];
            let max = if lmul == 7 { vlenb >> 1 } else { vlenb << lmul } >> sew;
            if max == 0 || (lmul == 7 && sew == 3) {
                continue;
            }
            let vl =
                if random.u64(..) % 3 == 0 { max } else { random.u64(..) as usize % (max + 1) };
            let align = if lmul == 7 { 1 } else { 1u8 << lmul };
            let register = |r: u64| (1 + (r % u64::from(32 / align - 1)) as u8) * align;
            let mut inst = Inst::new(op);
            (inst.rd, inst.rs1, inst.rs2) =
                (register(random.u64(..)), register(random.u64(..)), register(random.u64(..)));
            if op.row().mnemonic.starts_with("vl")
                || op.row().mnemonic.starts_with("vs")
                    && op.row().mnemonic.contains("e")
                    && op.row().mnemonic.ends_with(".v")
            {
                inst.rs1 = 10;
            }
            inst.imm = (random.u64(..) % 16) as i32;
            let kind = random.u64(..) % 3;
            let flags = random.u64(..) % 2;
            let registers: Vec<Vec<u8>> = (0..32)
                .map(|_| {
                    (0..vlenb >> sew)
                        .flat_map(|_| {
                            element(&mut random, 1 << sew, kind).to_le_bytes()[..1 << sew].to_vec()
                        })
                        .collect()
                })
                .collect();
            let data: Vec<u8> = (0..4096).map(|_| random.u64(..) as u8).collect();
            let (x, f) = (
                random.u64(..),
                element(&mut random, 1 << sew, kind)
                    | if sew == 2 { 0xffff_ffff_0000_0000 } else { 0 },
            );
            let mut results = Vec::new();
            for (hart, unmasked) in harts.iter_mut().zip([true, false]) {
                inst.unmasked = unmasked;
                let Some(word) = encode(&inst, Xlen::Rv64) else { panic!("{inst:?}") };
                let setup = Inst {
                    rd: 0,
                    rs1: 6,
                    imm: (sew << 3 | lmul) as i32,
                    unmasked: true,
                    ..Inst::new(Op::Vsetvli)
                };
                let code = [encode(&setup, Xlen::Rv64).expect("a word"), word, 0x0010_0073];
                memory.write(0, CODE, &code.map(u32::to_le_bytes).concat()).expect("code");
                memory.write(0, DATA, &data).expect("data");
                hart.flush_code();
                for k in 0..32u8 {
                    hart.set_v(k, &registers[k as usize]);
                    hart.set_x(k, x);
                    hart.set_f(k, f);
                }
                hart.set_v(0, &vec![0xff; vlenb]);
                hart.set_x(6, vl as u64);
                hart.set_x(10, DATA + 64);
                assert!(hart.set_csr(csr::FCSR, flags));
                hart.set_pc(CODE);
                // Both refuse, for example, a misaligned group.
                let fault = match hart.run(100) {
                    Exit::Ebreak => None,
                    Exit::Fault(fault) => Some((fault.kind, fault.pc)),
                    other => panic!("{other:?}"),
                };
                done += u32::from(fault.is_none());
                let mut out = vec![0; 4096];
                memory.read(0, DATA, &mut out).expect("data");
                let v: Vec<Vec<u8>> = (1..32).map(|k| hart.v(k).to_vec()).collect();
                results.push((fault, v, out, hart.csr(csr::FCSR), hart.csr(csr::VL)));
            }
            assert!(
                results[0] == results[1],
                "{inst:?}, VLEN {vlen}, vl {vl}, sew {sew}, lmul {lmul}, kind {kind}, flags {flags}"
            );
        }
    }
    assert!(done > 20_000, "{done} instructions were done");
}
