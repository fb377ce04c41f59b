//! The DMA engine of M1, driven by kernels through its registers.

use crate::common::{Linking, buffer, build, device, range, run, words};
use hal_refsi::dma::ctrl;
use hal_refsi::{RefsiDevice, Soc};
use muxcl_hal::{Argument, Device, HalError, Program};

const SIZE: usize = 4096;

/// A transfer, with the layout of the kernels' argument.
#[derive(Clone, Copy)]
struct Copy {
    dst: u64,
    src: u64,
    size: [u64; 3],
    dst_stride: [u64; 2],
    src_stride: [u64; 2],
    control: u64,
}

struct Setup {
    device: RefsiDevice,
    program: Program,
    src: u64,
    dst: u64,
    out: u64,
    bytes: Vec<u8>,
}

impl Setup {
    fn new() -> Self {
        let d = device(Soc::M1);
        let program = d.load(&build("dma.c", 64, Linking::Pie)).expect("a program");
        let (src, dst, out) = (
            d.alloc(4096, 128).expect("memory"),
            d.alloc(4096, 128).expect("memory"),
            buffer(&d, 8),
        );
        let bytes: Vec<u8> = (0..SIZE).map(|k| (k * 7 + k / 251) as u8 | 1).collect();
        d.write(src, &bytes).expect("write");
        Self { device: d, program, src, dst, out, bytes }
    }

    fn start(&self, kernel: &str, c: &Copy) -> Result<Vec<u64>, HalError> {
        self.device.fill(self.dst, &[0], 4096).expect("fill");
        let values = [
            c.dst,
            c.src,
            c.size[0],
            c.size[1],
            c.size[2],
            c.dst_stride[0],
            c.dst_stride[1],
            c.src_stride[0],
            c.src_stride[1],
            c.control,
            self.out,
        ]
        .map(u64::to_le_bytes);
        let args: Vec<Argument<'_>> = values.iter().map(|v| Argument::Value(v)).collect();
        run(&self.device, self.program, kernel, &range(1, 1), &args)?;
        Ok(words(&self.device, self.out, 3))
    }

    fn result(&self) -> Vec<u8> {
        let mut bytes = vec![0; SIZE];
        self.device.read(self.dst, &mut bytes).expect("read");
        bytes
    }

    /// The expected result of the transfer, computed byte by byte.
    fn expected(&self, c: &Copy) -> Vec<u8> {
        let dimensions = c.control >> 4 & 3;
        let size = [
            c.size[0],
            if dimensions > 1 { c.size[1] } else { 1 },
            if dimensions > 2 { c.size[2] } else { 1 },
        ];
        let dense = [size[0], size[0] * size[1]];
        let to = if c.control & ctrl::STRIDE_DST != 0 { c.dst_stride } else { dense };
        let from = if c.control & ctrl::STRIDE_SRC != 0 { c.src_stride } else { dense };
        let mut out = vec![0; SIZE];
        for z in 0..size[2] {
            for y in 0..size[1] {
                for x in 0..size[0] {
                    let at = |base: u64, s: [u64; 2]| {
                        usize::try_from(base + x + s[0] * y + s[1] * z).expect("small")
                    };
                    out[at(c.dst - self.dst, to)] = self.bytes[at(c.src - self.src, from)];
                }
            }
        }
        out
    }
}

#[test]
fn every_shape_of_transfer() {
    let s = Setup::new();
    for dimensions in [ctrl::ONE, ctrl::TWO, ctrl::THREE] {
        for strides in [0, ctrl::STRIDE_DST, ctrl::STRIDE_SRC, ctrl::STRIDE_DST | ctrl::STRIDE_SRC]
        {
            let c = Copy {
                dst: s.dst + 8,
                src: s.src + 3,
                size: [13, 5, 4],
                dst_stride: [40, 300],
                src_stride: [17, 150],
                control: dimensions | strides,
            };
            let out = s.start("copy", &c).expect("it runs");
            assert!(out[0] > 0 && out[1] == out[0], "it is done: {out:?}");
            assert_eq!(out[2], c.control, "control without the start bit");
            assert!(s.result() == s.expected(&c), "{:#x}", c.control);
        }
    }
    // A source stride of 0, as for a fill, and an empty transfer.
    let again = Copy {
        dst: s.dst,
        src: s.src,
        size: [16, 20, 0],
        dst_stride: [16, 0],
        src_stride: [0, 0],
        control: ctrl::TWO | ctrl::STRIDE_DST | ctrl::STRIDE_SRC,
    };
    s.start("copy", &again).expect("it runs");
    assert!(s.result() == s.expected(&again));
    s.start("copy", &Copy { size: [0, 0, 0], ..again }).expect("it runs");
    assert!(s.result().iter().all(|b| *b == 0));
}

#[test]
fn transfers_are_numbered_and_end() {
    let s = Setup::new();
    let c = Copy {
        dst: s.dst,
        src: s.src,
        size: [64, 0, 0],
        dst_stride: [0; 2],
        src_stride: [0; 2],
        control: ctrl::ONE,
    };
    let out = s.start("many", &c).expect("it runs");
    assert_eq!(out[0], 9);
    assert!((1..=2).contains(&out[1]), "two transfers were under way: {}", out[1]);
    assert_eq!(out[2], 1);
    let result = s.result();
    assert!((0..10).all(|k| result[k * 64..][..64] == s.bytes[..64]));
    s.start("careless", &c).expect("it runs");
    assert!(s.result()[..64] == s.bytes[..64], "done at the end of the kernel");
}

#[test]
fn groups_stage_through_local_memory() {
    let s = Setup::new();
    let args = [
        Argument::Global { address: s.dst, size: 4096 },
        Argument::Global { address: s.src, size: 4096 },
    ];
    run(&s.device, s.program, "staged", &range(16, 1), &args).expect("it runs");
    let expected: Vec<u8> = s
        .bytes
        .chunks(4)
        .flat_map(|c| {
            (u32::from_le_bytes(c.try_into().expect("four")).wrapping_mul(2) + 1).to_le_bytes()
        })
        .collect();
    assert!(s.result() == expected);
}

#[test]
fn wrong_transfers_are_faults() {
    let s = Setup::new();
    let fine = Copy {
        dst: s.dst,
        src: s.src,
        size: [64, 0, 0],
        dst_stride: [0; 2],
        src_stride: [0; 2],
        control: ctrl::ONE,
    };
    for kernel in ["copy", "careless"] {
        for wrong in [
            Copy { src: 0x10, ..fine },
            Copy { dst: 0xC000_0000 - 32, ..fine },
            Copy { dst: 0x2000_2000, ..fine },
        ] {
            let Err(HalError::Fault(text)) = s.start(kernel, &wrong) else { panic!("{kernel}") };
            assert!(
                text.contains("DMA transfer ") && text.contains(" of 64 bytes from "),
                "{text}"
            );
            s.start("copy", &fine).expect("it runs");
            assert!(s.result() == s.expected(&fine), "the engine works again");
        }
    }
    for what in 0..5u64 {
        let what_bytes = what.to_le_bytes();
        let result =
            run(&s.device, s.program, "touch", &range(1, 1), &[Argument::Value(&what_bytes)]);
        assert_eq!(result.is_ok(), what == 4, "{what}: {result:?}");
    }
    // G1 has no DMA engine.
    let g1 = device(Soc::G1);
    let program = g1.load(&build("dma.c", 64, Linking::Pie)).expect("a program");
    let what_bytes = 4u64.to_le_bytes();
    let result = run(&g1, program, "touch", &range(1, 1), &[Argument::Value(&what_bytes)]);
    assert!(
        matches!(&result, Err(HalError::Fault(text)) if text.contains("store to 0x20002008")),
        "{result:?}"
    );
}
