//! R4: harts that race on guest memory. Guest programs may race with themselves, but the simulator,
//! which runs harts on threads, must be free of data races. Vector accesses and the functions of
//! `Memory` were plain copies, a data race in Rust's memory model, which Miri reports for
//! `memory_calls_of_racing_threads`: `cargo +nightly miri test -p muxcl-rv-sim --test race`.
//! Without Miri the tests check values only.

use muxcl_rv_sim::{Exit, HartConfig, Machine, Memory, Next, Xlen};

const CODE: u64 = 0x1000;
const DATA: u64 = 0x8000_0000;
const BACK: u64 = 0x4000;
/// Number of iterations of each hart's loop.
const ROUNDS: u64 = 20_000;

/// Hart 0 alternately stores vectors of 0 and of all ones; the other harts load the vectors and
/// count the elements with any other value.
///
/// ```text
/// writer: vsetivli zero, 8, e64, m1     reader: vsetivli zero, 8, e64, m1
///         vmv.v.i v1, 0                         li t0, 0
///         vmv.v.i v2, -1                  1:    vle64.v v1, (a0)
///   1:    vse64.v v1, (a0)                      vmsne.vi v2, v1, 0
///         vse64.v v2, (a0)                      vmsne.vi v3, v1, -1
///         addi a1, a1, -1                       vmand.mm v2, v2, v3
///         bnez a1, 1b                           vcpop.m t1, v2
///         ret                                   add t0, t0, t1
///                                               addi a1, a1, -1
///                                               bnez a1, 1b
///                                               mv a0, t0
///                                               ret
/// ```
const WRITER: [u32; 8] = [
    0xcd84_7057,
    0x5e00_30d7,
    0x5e0f_b157,
    0x0205_70a7,
    0x0205_7127,
    0xfff5_8593,
    0xfe05_9ae3,
    0x0000_8067,
];
const READER: [u32; 12] = [
    0xcd84_7057,
    0x0000_0293,
    0x0205_7087,
    0x6610_3157,
    0x661f_b1d7,
    0x6621_a157,
    0x4228_2357,
    0x0062_82b3,
    0xfff5_8593,
    0xfe05_92e3,
    0x0002_8513,
    0x0000_8067,
];

#[test]
#[cfg_attr(miri, ignore = "Miri needs minutes for the interpreter")]
fn vector_accesses_of_racing_harts() {
    let mut memory = Memory::new();
    memory.add_ram(CODE, 0x1000).unwrap();
    memory.add_ram(DATA, 0x1000).unwrap();
    let bytes = |words: &[u32]| words.iter().flat_map(|w| w.to_le_bytes()).collect::<Vec<_>>();
    memory.write(0, CODE, &bytes(&WRITER)).unwrap();
    memory.write(0, CODE + 0x100, &bytes(&READER)).unwrap();
    let config = HartConfig::full(Xlen::Rv64, 512);
    let mut machine = Machine::new(&config, 3, memory).unwrap();
    for (k, hart) in machine.harts_mut().iter_mut().enumerate() {
        hart.set_return_address(Some(BACK));
        hart.set_pc(if k == 0 { CODE } else { CODE + 0x100 });
        hart.set_x(1, BACK);
        hart.set_x(10, DATA);
        hart.set_x(11, ROUNDS);
    }
    let exits = machine.run(u64::MAX, |_, _| Next::Stop);
    assert_eq!(exits, [Exit::Returned; 3]);
    // An element is one aligned 64-bit access, so torn reads are impossible.
    let mixed: Vec<u64> = machine.harts()[1..].iter().map(|hart| hart.x(10)).collect();
    assert_eq!(mixed, [0, 0], "elements that were never stored");
}

#[test]
fn memory_calls_of_racing_threads() {
    let mut memory = Memory::new();
    memory.add_ram(DATA, 0x1000).unwrap();
    let memory = &memory;
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for value in 0..20 {
                memory.write(0, DATA, &[value; 64]).unwrap();
            }
        });
        scope.spawn(|| {
            let mut bytes = [0; 64];
            for _ in 0..20 {
                memory.read(1, DATA, &mut bytes).unwrap();
                memory.copy(1, DATA + 64, DATA, 64).unwrap();
                assert!(bytes.iter().all(|b| *b < 20));
            }
        });
    });
}
