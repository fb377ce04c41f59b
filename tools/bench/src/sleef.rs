//! SLEEF's vector functions from the installed `libsleef.so.3`: looks them up by name and runs them
//! over arrays.
//!
//! Invariant: each function is called with the vector types of its name, on a processor that
//! supports them. Nothing here links to SLEEF.

use std::arch::is_x86_feature_detected;
use std::ffi::c_void;

use anyhow::{Context as _, Result, bail};
use libloading::Library;

/// Number of elements of every array.
pub(crate) const COUNT: usize = 4096;

/// The parameters and results of a function.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Signature {
    One,
    Two,
    Three,
    /// One result by value and one through a pointer: `sincos`, `modf`.
    Pair,
    /// A floating-point argument and an integer result: `ilogb`.
    Exponent,
    /// A floating-point and an integer argument: `ldexp`.
    Scale,
    /// A floating-point result and an integer one; two functions in SLEEF: `frexp`.
    Split,
}

/// Numbers of 4 or 8 bytes, aligned to a vector.
pub(crate) struct Cells<T> {
    lines: Vec<Line>,
    element: std::marker::PhantomData<T>,
}

#[repr(C, align(64))]
#[derive(Clone, Copy)]
struct Line([u8; 64]);

impl<T: Copy> Cells<T> {
    /// An array of [`COUNT`] numbers.
    pub(crate) fn new(value: impl Fn(usize) -> T) -> Self {
        let lines = vec![Line([0; 64]); COUNT * size_of::<T>() / 64];
        let mut cells = Self { lines, element: std::marker::PhantomData };
        let start = cells.lines.as_mut_ptr().cast::<T>();
        for nth in 0..COUNT {
            // SAFETY: the lines have room for COUNT elements and satisfy every alignment.
            unsafe { start.wrapping_add(nth).write(value(nth)) };
        }
        cells
    }

    pub(crate) fn slice(&self) -> &[T] {
        // SAFETY: `new` initialised COUNT elements.
        unsafe { std::slice::from_raw_parts(self.lines.as_ptr().cast(), COUNT) }
    }

    fn vectors<V>(&self) -> *const V {
        self.lines.as_ptr().cast()
    }

    fn vectors_mut<V>(&mut self) -> *mut V {
        self.lines.as_mut_ptr().cast()
    }
}

/// Arguments and results.
pub(crate) struct Data<T> {
    pub(crate) a: Cells<T>,
    pub(crate) b: Cells<T>,
    pub(crate) c: Cells<T>,
    pub(crate) n: Cells<i32>,
    pub(crate) first: Cells<T>,
    pub(crate) second: Cells<T>,
    pub(crate) whole: Cells<i32>,
}

/// The widest vectors that both this processor and SLEEF support.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Isa {
    Avx512,
    Avx2,
}

/// The loaded library.
pub(crate) struct Sleef {
    library: Library,
    isa: Isa,
}

/// A function for float or double, ready to run.
pub(crate) struct Function {
    entry: *const c_void,
    /// The second function of [`Signature::Split`].
    other: *const c_void,
    signature: Signature,
    isa: Isa,
}

impl Sleef {
    pub(crate) fn load() -> Result<Self> {
        let isa = if is_x86_feature_detected!("avx512f") {
            Isa::Avx512
        } else if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
            Isa::Avx2
        } else {
            bail!(
                "this processor has neither AVX-512 nor AVX2: SLEEF has no vectors to compare with"
            );
        };
        #[expect(
            clippy::disallowed_methods,
            reason = "the rule is for the driver; this tool loads SLEEF"
        )]
        // SAFETY: SLEEF's initialisers only query the processor.
        let library = unsafe { Library::new("libsleef.so.3") };
        let library = library.context("libsleef.so.3 is missing: apt-get install libsleef-dev")?;
        Ok(Self { library, isa })
    }

    /// The function `name` for `T` with accuracy `accuracy` (`u10`, or empty for exact functions).
    pub(crate) fn function<T>(
        &self,
        name: &str,
        accuracy: &str,
        signature: Signature,
    ) -> Result<Function> {
        let (letter, isa) = match (size_of::<T>(), self.isa) {
            (4, Isa::Avx512) => ("f16", "avx512f"),
            (4, Isa::Avx2) => ("f8", "avx2"),
            (_, Isa::Avx512) => ("d8", "avx512f"),
            (_, Isa::Avx2) => ("d4", "avx2"),
        };
        let find = |name: &str| -> Result<*const c_void> {
            let symbol = format!("Sleef_{name}{letter}_{accuracy}{isa}");
            // SAFETY: this only takes the address.
            let found = unsafe { self.library.get::<*const c_void>(symbol.as_bytes()) };
            // SAFETY: as above; the library stays loaded as long as `self`, which lives until the
            // process ends.
            Ok(unsafe { found.with_context(|| symbol.clone())?.try_as_raw_ptr() }
                .context(symbol)?
                .cast_const())
        };
        if signature == Signature::Split {
            return Ok(Function {
                entry: find("frfrexp")?,
                other: find("expfrexp")?,
                signature,
                isa: self.isa,
            });
        }
        Ok(Function { entry: find(name)?, other: std::ptr::null(), signature, isa: self.isa })
    }
}

/// `run` for one element type and instruction set.
macro_rules! run {
    ($name:ident, $feature:literal, $element:ty, $vector:ident, $integer:ident) => {
        #[target_feature(enable = $feature)]
        #[expect(improper_ctypes_definitions, reason = "vectors are passed as in C")]
        fn $name(function: &Function, data: &mut Data<$element>, times: usize) {
            use std::arch::x86_64::{$integer, $vector};
            #[repr(C)]
            struct Both($vector, $vector);
            type One = extern "C" fn($vector) -> $vector;
            type Two = extern "C" fn($vector, $vector) -> $vector;
            type Three = extern "C" fn($vector, $vector, $vector) -> $vector;
            type Pair = extern "C" fn($vector) -> Both;
            type Exponent = extern "C" fn($vector) -> $integer;
            type Scale = extern "C" fn($vector, $integer) -> $vector;
            let count = COUNT * size_of::<$element>() / size_of::<$vector>();
            let (a, b, c) = (
                data.a.vectors::<$vector>(),
                data.b.vectors::<$vector>(),
                data.c.vectors::<$vector>(),
            );
            let n = data.n.vectors::<$integer>();
            let (first, second) =
                (data.first.vectors_mut::<$vector>(), data.second.vectors_mut::<$vector>());
            let whole = data.whole.vectors_mut::<$integer>();
            for _ in 0..times {
                for i in 0..count {
                    // SAFETY: every array has `count` vectors; `function` was looked up with this
                    // signature, element and instruction set.
                    unsafe {
                        match function.signature {
                            Signature::One => {
                                let call: One = std::mem::transmute(function.entry);
                                *first.add(i) = call(*a.add(i));
                            }
                            Signature::Two => {
                                let call: Two = std::mem::transmute(function.entry);
                                *first.add(i) = call(*a.add(i), *b.add(i));
                            }
                            Signature::Three => {
                                let call: Three = std::mem::transmute(function.entry);
                                *first.add(i) = call(*a.add(i), *b.add(i), *c.add(i));
                            }
                            Signature::Pair => {
                                let call: Pair = std::mem::transmute(function.entry);
                                let both = call(*a.add(i));
                                *first.add(i) = both.0;
                                *second.add(i) = both.1;
                            }
                            Signature::Exponent => {
                                let call: Exponent = std::mem::transmute(function.entry);
                                *whole.add(i) = call(*a.add(i));
                            }
                            Signature::Scale => {
                                let call: Scale = std::mem::transmute(function.entry);
                                *first.add(i) = call(*a.add(i), *n.add(i));
                            }
                            Signature::Split => {
                                let fraction: One = std::mem::transmute(function.entry);
                                let exponent: Exponent = std::mem::transmute(function.other);
                                *first.add(i) = fraction(*a.add(i));
                                *whole.add(i) = exponent(*a.add(i));
                            }
                        }
                    }
                }
            }
        }
    };
}
run!(float_avx512, "avx512f", f32, __m512, __m512i);
run!(double_avx512, "avx512f", f64, __m512d, __m256i);
run!(float_avx2, "avx2", f32, __m256, __m256i);
run!(double_avx2, "avx2", f64, __m256d, __m128i);

/// `float` or `double`.
pub(crate) trait Element: Copy + Into<f64> + 'static {
    /// The type's name in OpenCL C, and its number of lanes in 64 bytes.
    const NAME: &str;
    const LANES: usize;
    fn of(value: f64) -> Self;
    /// Computes all results of `data`, `times` times.
    fn run(function: &Function, data: &mut Data<Self>, times: usize);
}

impl Element for f32 {
    const NAME: &str = "float";
    const LANES: usize = 16;
    #[expect(clippy::cast_possible_truncation, reason = "the result is rounded on purpose")]
    fn of(value: f64) -> Self {
        value as Self
    }
    fn run(function: &Function, data: &mut Data<Self>, times: usize) {
        match function.isa {
            // SAFETY: `Sleef::load` checked that the processor has the instructions.
            Isa::Avx512 => unsafe { float_avx512(function, data, times) },
            // SAFETY: as above.
            Isa::Avx2 => unsafe { float_avx2(function, data, times) },
        }
    }
}

impl Element for f64 {
    const NAME: &str = "double";
    const LANES: usize = 8;
    fn of(value: f64) -> Self {
        value
    }
    fn run(function: &Function, data: &mut Data<Self>, times: usize) {
        match function.isa {
            // SAFETY: `Sleef::load` checked that the processor has the instructions.
            Isa::Avx512 => unsafe { double_avx512(function, data, times) },
            // SAFETY: as above.
            Isa::Avx2 => unsafe { double_avx2(function, data, times) },
        }
    }
}
