//! Runs library functions on the test's machine: compiles OpenCL C and loads it as a shared object.
//!
//! The source is compiled like user code (clang's own declarations, spir64) and linked with the
//! members that define its symbols, by the rule in the crate's documentation. The IR is retargeted
//! to x86-64 as text and compiled to a shared object. The product does not use text.

#![expect(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test")]
#![allow(dead_code, reason = "each test uses its part")]
#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_possible_wrap,
    reason = "a test"
)]

use fastrand::Rng;
use std::collections::{BTreeSet, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

pub(crate) const LLVM: &str = match option_env!("LLVM_SYS_221_PREFIX") {
    Some(prefix) => prefix,
    None => "/usr/lib/llvm-22",
};

pub(crate) fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("run");
    fs::create_dir_all(&folder).unwrap();
    folder.join(name)
}

pub(crate) fn run(command: &mut Command) -> Output {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}\n{}", String::from_utf8_lossy(&output.stderr));
    output
}

fn undefined(bitcode: &Path) -> Vec<String> {
    let output = run(Command::new(format!("{LLVM}/bin/llvm-nm"))
        .args(["--undefined-only", "-j"])
        .arg(bitcode));
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

/// Compiles `source`, links what it calls, and loads the result.
pub(crate) fn load(name: &str, source: &str) -> libloading::Library {
    let file = |extension: &str| scratch(&format!("{name}.{extension}"));
    fs::write(file("cl"), source).unwrap();
    run(Command::new(format!("{LLVM}/bin/clang-22"))
        .args([
            "-cc1",
            "-triple",
            "spir64-unknown-unknown",
            "-x",
            "cl",
            "-cl-std=CL3.0",
            "-cl-ext=+all",
        ])
        .args([
            "-internal-isystem",
            &format!("{LLVM}/lib/clang/22/include"),
            "-finclude-default-header",
        ])
        .args([
            "-fdeclare-opencl-builtins",
            "-O1",
            "-disable-llvm-passes",
            "-w",
            "-emit-llvm-bc",
            "-o",
        ])
        .args([file("bc"), file("cl")]));
    let mut files = Vec::new();
    let mut known = BTreeSet::new();
    let mut work: VecDeque<String> = undefined(&file("bc")).into();
    while let Some(symbol) = work.pop_front() {
        let Some(member) = muxcl_builtins::find(&symbol) else { continue };
        if known.insert(member) {
            let path = scratch(&format!("{name}.{}.bc", muxcl_builtins::member_name(member)));
            fs::write(&path, muxcl_builtins::member(member)).unwrap();
            work.extend(undefined(&path));
            files.push(path);
        }
    }
    run(Command::new(format!("{LLVM}/bin/llvm-link"))
        .arg(file("bc"))
        .arg("--only-needed")
        .args(&files)
        .arg("-o")
        .arg(file("linked.bc")));
    for file in files {
        fs::remove_file(file).unwrap();
    }
    let text =
        run(Command::new(format!("{LLVM}/bin/llvm-dis")).arg(file("linked.bc")).args(["-o", "-"]))
            .stdout;
    let text = String::from_utf8(text)
        .unwrap()
        .replace("spir_func ", "")
        .replace("spir64-unknown-unknown", "x86_64-unknown-linux-gnu");
    let text: Vec<&str> =
        text.lines().filter(|line| !line.starts_with("target datalayout")).collect();
    fs::write(file("ll"), text.join("\n")).unwrap();
    run(Command::new(format!("{LLVM}/bin/clang-22"))
        .args([
            "-x",
            "ir",
            "-O1",
            "-march=native",
            "-fPIC",
            "-shared",
            "-Wno-override-module",
            "-Wl,-z,defs",
            "-o",
        ])
        .args([file("so"), file("ll")])
        // LLVM calls fmaxf and similar functions for half vectors if the processor has no
        // instructions for them. The driver provides these functions too.
        .arg("-lm"));
    // SAFETY: the object has no initialisers, and the tests call its functions with their declared
    // types.
    unsafe { libloading::Library::new(file("so")) }.unwrap()
}

/// The value of a half.
pub(crate) fn half_to_f64(bits: u16) -> f64 {
    let sign = if bits >> 15 == 0 { 1.0 } else { -1.0 };
    let (exponent, mantissa) = (i32::from(bits >> 10 & 31), f64::from(bits & 1023));
    match exponent {
        0 => sign * mantissa * 2f64.powi(-24),
        31 if mantissa == 0.0 => sign * f64::INFINITY,
        31 => f64::NAN.copysign(sign),
        _ => sign * (1024.0 + mantissa) * 2f64.powi(exponent - 25),
    }
}

/// A scalar type, as the tests see it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Kind {
    pub(crate) name: &'static str,
    pub(crate) bits: u32,
    pub(crate) float: bool,
    pub(crate) signed: bool,
}

const fn kind(name: &'static str, bits: u32, float: bool, signed: bool) -> Kind {
    Kind { name, bits, float, signed }
}

pub(crate) const KINDS: [Kind; 11] = [
    kind("char", 8, false, true),
    kind("uchar", 8, false, false),
    kind("short", 16, false, true),
    kind("ushort", 16, false, false),
    kind("int", 32, false, true),
    kind("uint", 32, false, false),
    kind("long", 64, false, true),
    kind("ulong", 64, false, false),
    kind("half", 16, true, true),
    kind("float", 32, true, true),
    kind("double", 64, true, true),
];

/// A value of any scalar type, exactly.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Value {
    Int(i128),
    Float(f64),
}

impl Kind {
    pub(crate) fn vector(self, width: u32) -> String {
        if width == 1 { self.name.into() } else { format!("{}{width}", self.name) }
    }

    pub(crate) fn integer(self, signed: bool) -> Self {
        *KINDS
            .iter()
            .find(|other| !other.float && other.bits == self.bits && other.signed == signed)
            .unwrap()
    }

    pub(crate) fn low(self) -> i128 {
        if self.signed { -(1 << (self.bits - 1)) } else { 0 }
    }

    pub(crate) fn high(self) -> i128 {
        if self.signed { (1 << (self.bits - 1)) - 1 } else { (1 << self.bits) - 1 }
    }

    /// The value of a bit pattern.
    pub(crate) fn value(self, bits: u64) -> Value {
        match (self.float, self.bits) {
            (true, 16) => Value::Float(half_to_f64(bits as u16)),
            (true, 32) => Value::Float(f64::from(f32::from_bits(bits as u32))),
            (true, _) => Value::Float(f64::from_bits(bits)),
            (false, _) => {
                let value = i128::from(bits) & ((1 << self.bits) - 1);
                Value::Int(if self.signed && value > self.high() {
                    value - (1 << self.bits)
                } else {
                    value
                })
            }
        }
    }

    pub(crate) fn int(self, bits: u64) -> i128 {
        match self.value(bits) {
            Value::Int(value) => value,
            Value::Float(_) => panic!("{self:?} is no integer"),
        }
    }

    /// The bit pattern of an integer, wrapped.
    pub(crate) fn wrap(self, value: i128) -> u64 {
        (value & ((1 << self.bits) - 1)) as u64
    }

    pub(crate) fn bytes(self) -> usize {
        self.bits as usize / 8
    }

    pub(crate) fn pack(self, bits: &[u64]) -> Vec<u8> {
        bits.iter().flat_map(|bits| bits.to_le_bytes()[..self.bytes()].to_vec()).collect()
    }

    pub(crate) fn unpack(self, bytes: &[u8]) -> Vec<u64> {
        bytes
            .chunks_exact(self.bytes())
            .map(|chunk| {
                let mut word = [0; 8];
                word[..chunk.len()].copy_from_slice(chunk);
                u64::from_le_bytes(word)
            })
            .collect()
    }

    /// Bit patterns to test: edges, powers of two and their neighbours, random ones.
    pub(crate) fn samples(self, random: &mut Rng, count: usize) -> Vec<u64> {
        let mask = if self.bits == 64 { u64::MAX } else { (1 << self.bits) - 1 };
        let mut all = Vec::new();
        if self.float {
            let (digits, one) = match self.bits {
                16 => (10, 0x3c00u64),
                32 => (23, 0x3f80_0000),
                _ => (52, 0x3ff0_0000_0000_0000),
            };
            let infinity = (mask >> 1) & !((1 << digits) - 1);
            all.extend([
                0,
                1,
                2,
                3,
                (1 << digits) - 1,
                1 << digits,
                infinity - 1,
                infinity,
                infinity | 1 << (digits - 1),
            ]);
            for power in 0..66u64 {
                let bits = one.wrapping_add(power << digits);
                if bits < infinity {
                    all.extend([
                        bits - 1,
                        bits,
                        bits + 1,
                        bits | 1 << (digits - 1),
                        bits | 3 << (digits - 2),
                    ]);
                }
                let bits = one.wrapping_sub(power << digits);
                if power < 14 {
                    all.extend([bits, bits + 1]);
                }
            }
            all.extend(all.clone().iter().map(|bits| bits | (mask ^ mask >> 1)));
            for _ in 0..count / 2 {
                // Near the edges of integer types.
                let exponent = random.u64(..) % 70;
                all.push(
                    one.wrapping_add(exponent << digits) & infinity
                        | random.u64(..) & ((1 << digits) - 1)
                        | random.u64(..) << (self.bits - 1) & mask,
                );
            }
        } else {
            for power in 0..u64::from(self.bits) {
                let bits = 1u64 << power;
                for near in [
                    bits.wrapping_sub(1),
                    bits,
                    bits.wrapping_add(1),
                    bits | bits >> 1,
                    bits | bits >> 12,
                    (bits | bits >> 12).wrapping_add(1),
                ] {
                    all.extend([near & mask, near.wrapping_neg() & mask]);
                }
            }
            for _ in 0..count / 2 {
                all.push((random.u64(..) & mask) >> (random.u64(..) % u64::from(self.bits)));
            }
        }
        all.extend((0..count / 2).map(|_| random.u64(..) & mask));
        while all.len() % 48 != 0 {
            all.push(0);
        }
        all
    }
}

/// Bytes with the largest alignment of OpenCL's types (128).
struct Aligned {
    room: Vec<u8>,
    len: usize,
}

impl Aligned {
    fn new(bytes: &[u8]) -> Self {
        let mut aligned = Self { room: vec![0; bytes.len() + 128], len: bytes.len() };
        aligned.bytes_mut().copy_from_slice(bytes);
        aligned
    }

    fn start(&self) -> usize {
        self.room.as_ptr().align_offset(128)
    }

    fn bytes(&self) -> &[u8] {
        &self.room[self.start()..][..self.len]
    }

    fn bytes_mut(&mut self) -> &mut [u8] {
        let start = self.start();
        &mut self.room[start..][..self.len]
    }
}

/// One function of vectors, called on arrays.
pub(crate) struct Call {
    pub(crate) id: String,
    /// The call, with `$0`, `$1`, ... for the arguments.
    pub(crate) expression: String,
    pub(crate) result: Kind,
    pub(crate) arguments: Vec<Kind>,
    pub(crate) width: u32,
}

type Arrays = unsafe extern "C" fn(*const u8, *const u8, *const u8, *mut u8, usize);

impl Call {
    pub(crate) fn source(&self) -> String {
        let width = self.width;
        let mut expression = self.expression.clone();
        let mut parameters = Vec::new();
        for nth in 0..3 {
            let kind = self.arguments.get(nth).map_or("char", |kind| kind.name);
            parameters.push(format!("global const {kind} *a{nth}"));
            let load =
                if width == 1 { format!("a{nth}[i]") } else { format!("vload{width}(i, a{nth})") };
            expression = expression.replace(&format!("${nth}"), &load);
        }
        let result = self.result.name;
        let store = if width == 1 {
            format!("o[i] = {expression}")
        } else {
            format!("vstore{width}({expression}, i, o)")
        };
        format!(
            "void {}({}, global {result} *o, ulong n) {{ for (ulong i = 0; i < n / {width}; i++) {store}; }}\n",
            self.id,
            parameters.join(", ")
        )
    }

    /// Calls the function on `count` elements; arguments and result are arrays of bit patterns.
    pub(crate) fn run(&self, library: &libloading::Library, arguments: &[&[u64]]) -> Vec<u64> {
        let count = arguments[0].len();
        let packed: Vec<Aligned> = self
            .arguments
            .iter()
            .zip(arguments)
            .map(|(kind, bits)| Aligned::new(&kind.pack(bits)))
            .collect();
        let pointer =
            |nth: usize| packed.get(nth).map_or(std::ptr::null(), |bytes| bytes.bytes().as_ptr());
        let mut out = Aligned::new(&vec![0xa5; count * self.result.bytes()]);
        // SAFETY: `source` wrote this symbol, with this type.
        let function = unsafe { library.get::<Arrays>(self.id.as_bytes()) }.unwrap();
        // SAFETY: every array has `count` elements, a multiple of the width.
        unsafe {
            function(pointer(0), pointer(1), pointer(2), out.bytes_mut().as_mut_ptr(), count)
        };
        self.result.unpack(out.bytes())
    }
}

/// The pragmas at the start of every tested source.
pub(crate) const PRAGMAS: &str = "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n\
    #pragma OPENCL EXTENSION cl_khr_fp64 : enable\n";

/// A rounding mode of conversions.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Rounding {
    Nearest,
    Zero,
    Up,
    Down,
}

/// `value` rounded to the floating type `to`, as a double.
pub(crate) fn round_to(value: Value, to: Kind, rounding: Rounding) -> f64 {
    let (digits, least, largest) = match to.bits {
        16 => (11, -24, 65504.0),
        32 => (24, -149, f64::from(f32::MAX)),
        _ => (53, -1074, f64::MAX),
    };
    let (negative, magnitude, exponent) = match value {
        Value::Int(int) => (int < 0, int.unsigned_abs(), 0),
        Value::Float(float) if !float.is_finite() || float == 0.0 => return float,
        Value::Float(float) => {
            let bits = float.to_bits();
            let biased = (bits >> 52 & 0x7ff) as i32;
            let mantissa = u128::from(bits & 0xf_ffff_ffff_ffff);
            let negative = float.is_sign_negative();
            if biased == 0 {
                (negative, mantissa, -1074)
            } else {
                (negative, mantissa | 1 << 52, biased - 1075)
            }
        }
    };
    let sign = if negative { -1.0 } else { 1.0 };
    if magnitude == 0 {
        return 0.0;
    }
    let top = 127 - magnitude.leading_zeros() as i32;
    let place = (exponent + top - digits + 1).max(least);
    let shift = place - exponent;
    let mut kept = if shift <= 0 {
        magnitude << -shift
    } else {
        magnitude.checked_shr(shift as u32).unwrap_or(0)
    };
    if shift > 0 {
        let rest = if shift >= 128 { magnitude } else { magnitude & ((1 << shift) - 1) };
        let half = if shift > 127 { u128::MAX } else { 1 << (shift - 1) };
        let up = match rounding {
            Rounding::Nearest => rest > half || (rest == half && kept & 1 == 1),
            Rounding::Zero => false,
            Rounding::Up => !negative && rest != 0,
            Rounding::Down => negative && rest != 0,
        };
        kept += u128::from(up);
    }
    let scale = |x: f64| {
        if place < -1000 {
            x * 2f64.powi(-1000) * 2f64.powi(place + 1000)
        } else {
            x * 2f64.powi(place)
        }
    };
    let result = scale(kept as f64);
    if result > largest {
        let finite = match rounding {
            Rounding::Nearest => false,
            Rounding::Zero => true,
            Rounding::Up => negative,
            Rounding::Down => !negative,
        };
        return sign * if finite { largest } else { f64::INFINITY };
    }
    sign * result
}

/// True if two doubles are equal, with the sign of zero and with all NaNs alike.
pub(crate) fn same(a: f64, b: f64) -> bool {
    (a.is_nan() && b.is_nan()) || a.to_bits() == b.to_bits()
}

/// The half with exactly this value.
pub(crate) fn half_from_f64(value: f64) -> u16 {
    let sign = u16::from(value.is_sign_negative()) << 15;
    let magnitude = value.abs();
    if magnitude.is_nan() || magnitude.is_infinite() {
        return sign | 0x7c00 | u16::from(magnitude.is_nan()) << 9;
    }
    let exponent = ((magnitude.to_bits() >> 52) as i32 - 1023).max(-14);
    let mantissa = magnitude / 2f64.powi(exponent - 10);
    let bits = if mantissa < 1024.0 {
        mantissa as u16
    } else {
        (exponent + 14) as u16 * 1024 + mantissa as u16
    };
    assert!(same(half_to_f64(sign | bits), value), "{value:e} is no half");
    sign | bits
}
