//! The build options for mathematics, each tested by the results of a kernel with and without it.
//!
//! An option permits and does not oblige. Without options the test checks the specification's
//! requirements; with them it checks how this driver uses the permission, on the devices that use
//! it.

use std::process::ExitCode;

use anyhow::{Context as _, Result, ensure};
use libtest_mimic::{Arguments, Failed, Trial};
use muxcl_client::{Context, Device, Platform, Queue};
use muxcl_test_kernels::driver;

type Test = fn(&Setup) -> Result<()>;

const TESTS: &[(&str, Test)] = &[
    ("nothing_is_relaxed_without_options", nothing),
    ("denorms_are_zero", denormals),
    ("denorms_are_zero_ends_with_the_kernel", denormals_after),
    ("correctly_rounded_divide_sqrt", correctly_rounded),
    ("mad_enable", mad),
    ("no_signed_zeros", signed_zeros),
    ("finite_math_only", finite),
    ("unsafe_math_optimizations", unsafe_math),
    ("fast_relaxed_math", fast_relaxed),
];

/// Every calculation whose result an option may change: `p` holds the arguments, `r` receives the
/// results.
const SOURCE: &str = "
kernel void denormal(global const float *p, global float *r) { r[0] = p[0] * p[1]; r[1] = p[2] + p[3]; }
kernel void quotient(global const float *p, global float *r) { size_t i = get_global_id(0); r[i] = p[2 * i] / p[2 * i + 1]; }
kernel void root(global const float *p, global float *r) { size_t i = get_global_id(0); r[i] = sqrt(fabs(p[i])); }
kernel void separate(global const float *p, global float *r) { float t = p[0] * p[1]; r[0] = t + p[2]; }
kernel void zero(global const float *p, global float *r) { r[0] = p[0] + 0.0f; }
kernel void itself(global const float *p, global float *r) { r[0] = p[0] - p[0]; r[1] = p[0] != p[0] ? 1.0f : 0.0f; }
kernel void around(global const float *p, global float *r) { r[0] = (p[0] + 1e30f) - 1e30f; }
kernel void macro(global const float *p, global float *r) {
#ifdef __FAST_RELAXED_MATH__
  r[0] = 1;
#else
  r[0] = 0;
#endif
#ifdef __FINITE_MATH_ONLY__
  r[1] = __FINITE_MATH_ONLY__;
#else
  r[1] = 0;
#endif
}
";

struct Setup {
    device: Device,
    context: Context,
    queue: Queue,
    /// True if the device is this machine's processor.
    host: bool,
}

impl Setup {
    fn new(device: Device, host: bool) -> Result<Self> {
        let context = Context::new(device)?;
        let queue = context.queue(device, 0)?;
        Ok(Self { device, context, queue, host })
    }

    /// The first `N` results of a kernel that is built with `options`, as bits.
    fn bits<const N: usize>(
        &self,
        kernel: &str,
        options: &str,
        arguments: &[f32],
    ) -> Result<[u32; N]> {
        let program = self.context.build(self.device, SOURCE, options)?;
        let mut kernel = program.kernel(kernel)?;
        let (from, to) = (
            self.context.buffer_with(arguments)?,
            self.context.buffer_with(&[0xdead_beef_u32; N])?,
        );
        kernel.set_buffer(0, &from)?;
        kernel.set_buffer(1, &to)?;
        let items = if N > 2 { N } else { 1 };
        self.queue.run(&kernel, &[items], None, None)?;
        let mut found = [0; N];
        self.queue.read(&to, &mut found)?;
        Ok(found)
    }

    /// A single result.
    fn one(&self, kernel: &str, options: &str, arguments: &[f32]) -> Result<f32> {
        Ok(f32::from_bits(self.bits::<1>(kernel, options, arguments)?[0]))
    }
}

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    // SAFETY: no thread has been started yet.
    let trials = unsafe { driver::choose() }.and_then(|driver| trials(driver.is_ours));
    match trials {
        Ok(trials) => libtest_mimic::run(&arguments, trials).exit_code(),
        Err(error) => {
            #[expect(clippy::print_stderr, reason = "a test harness reports on the terminal")]
            {
                eprintln!("{error:#}");
            }
            ExitCode::FAILURE
        }
    }
}

fn trials(ours: bool) -> Result<Vec<Trial>> {
    let mut trials = Vec::new();
    if !ours {
        return Ok(trials); // other drivers may use a permission differently
    }
    for (number, device) in
        Platform::all()?.first().context("no platform")?.devices()?.into_iter().enumerate()
    {
        for (name, test) in TESTS {
            trials.push(Trial::test(format!("device{number}/{name}"), move || {
                Setup::new(device, number == 0)
                    .and_then(|setup| test(&setup))
                    .map_err(|error| Failed::from(format!("{error:#}")))
            }));
        }
    }
    Ok(trials)
}

/// 2^-130, and a value that only a fused multiply-add computes right.
const SMALL: f32 = f32::from_bits(1 << 19);
const FACTOR: f32 = 1.0 + f32::EPSILON;

fn nothing(setup: &Setup) -> Result<()> {
    let found = setup.bits::<2>("denormal", "", &[SMALL, 0.5, SMALL, SMALL])?.map(f32::from_bits);
    ensure!(found == [SMALL / 2.0, SMALL * 2.0], "denormals: {found:?}");
    let found = setup.one("separate", "", &[FACTOR, FACTOR, -1.0 - 2.0 * f32::EPSILON])?;
    ensure!(
        found == 0.0,
        "the product and the sum are two statements: both are rounded, {found:e}"
    );
    let found = setup.bits::<1>("zero", "", &[-0.0])?;
    ensure!(found == [0], "-0 + 0 is +0: {found:x?}");
    for special in [f32::NAN, f32::INFINITY] {
        let found = setup.bits::<2>("itself", "", &[special])?.map(f32::from_bits);
        let differs = if special.is_nan() { 1.0 } else { 0.0 };
        ensure!(found[0].is_nan() && found[1] == differs, "{special}: {found:?}");
    }
    let found = setup.one("around", "", &[1.5])?;
    ensure!(found == 0.0, "1e30 swallows it: {found}");
    let found = setup.bits::<2>("macro", "", &[0.0])?.map(f32::from_bits);
    ensure!(found == [0.0, 0.0], "{found:?}");
    Ok(())
}

fn denormals(setup: &Setup) -> Result<()> {
    for options in ["-cl-denorms-are-zero", "-cl-denorms-are-zero -cl-opt-disable"] {
        let found =
            setup.bits::<2>("denormal", options, &[SMALL, 0.5, SMALL, SMALL])?.map(f32::from_bits);
        // RISC-V has no such mode, and a device need not flush.
        let kept = !setup.host && found == [SMALL / 2.0, SMALL * 2.0];
        ensure!(found == [0.0, 0.0] || kept, "{options}: {found:?}");
    }
    Ok(())
}

fn denormals_after(setup: &Setup) -> Result<()> {
    for options in ["-cl-denorms-are-zero", "", "-cl-denorms-are-zero", ""] {
        let found =
            setup.bits::<2>("denormal", options, &[SMALL, 0.5, SMALL, SMALL])?.map(f32::from_bits);
        ensure!(!options.is_empty() || found == [SMALL / 2.0, SMALL * 2.0], "{found:?}");
    }
    Ok(())
}

fn correctly_rounded(setup: &Setup) -> Result<()> {
    const COUNT: usize = 4096;
    // Finite numbers of every magnitude whose quotients are finite.
    let mut random = fastrand::Rng::with_seed(1);
    let arguments: Vec<f32> = std::iter::repeat_with(|| {
        let bits = random.u32(..);
        f32::from_bits((bits & 0x807f_ffff) | (0x2000_0000 + (bits & 0x1f80_0000)))
    })
    .take(2 * COUNT)
    .collect();
    for options in [
        "-cl-fp32-correctly-rounded-divide-sqrt",
        "-cl-fp32-correctly-rounded-divide-sqrt -cl-unsafe-math-optimizations",
        "-cl-fast-relaxed-math -cl-fp32-correctly-rounded-divide-sqrt",
    ] {
        let found = setup.bits::<COUNT>("quotient", options, &arguments)?.map(f32::from_bits);
        for (pair, found) in arguments.chunks_exact(2).zip(found) {
            ensure!(
                found == pair[0] / pair[1],
                "{options}: {:e} / {:e} = {found:e}",
                pair[0],
                pair[1]
            );
        }
        let found = setup.bits::<COUNT>("root", options, &arguments)?.map(f32::from_bits);
        for (x, found) in arguments.iter().zip(found) {
            ensure!(found == x.abs().sqrt(), "{options}: sqrt({:e}) = {found:e}", x.abs());
        }
    }
    Ok(())
}

fn mad(setup: &Setup) -> Result<()> {
    for options in ["-cl-mad-enable", "-cl-unsafe-math-optimizations", "-cl-fast-relaxed-math"] {
        let found = setup.one("separate", options, &[FACTOR, FACTOR, -1.0 - 2.0 * f32::EPSILON])?;
        ensure!(found == f32::EPSILON * f32::EPSILON, "{options}: rounded twice, {found:e}");
    }
    Ok(())
}

fn signed_zeros(setup: &Setup) -> Result<()> {
    for options in ["-cl-no-signed-zeros", "-cl-unsafe-math-optimizations", "-cl-fast-relaxed-math"]
    {
        let found = setup.bits::<1>("zero", options, &[-0.0])?;
        ensure!(
            found == [(-0.0_f32).to_bits()],
            "{options}: the sum with 0 is still made, {found:x?}"
        );
        ensure!(setup.one("zero", options, &[1.5])? == 1.5, "{options}");
    }
    Ok(())
}

fn finite(setup: &Setup) -> Result<()> {
    for options in ["-cl-finite-math-only", "-cl-fast-relaxed-math"] {
        let found = setup.bits::<2>("itself", options, &[f32::NAN])?.map(f32::from_bits);
        ensure!(found == [0.0, 0.0], "{options}: NaN is still looked for, {found:?}");
        let found = setup.bits::<2>("macro", options, &[0.0])?.map(f32::from_bits);
        ensure!(found[1] == 1.0, "{options}: __FINITE_MATH_ONLY__ is {}", found[1]);
    }
    Ok(())
}

fn unsafe_math(setup: &Setup) -> Result<()> {
    for options in ["-cl-unsafe-math-optimizations", "-cl-fast-relaxed-math"] {
        let found = setup.one("around", options, &[1.5])?;
        ensure!(found == 1.5, "{options}: sums are still made in the order of the source, {found}");
    }
    // NaN and infinity keep their meaning without -cl-finite-math-only.
    let found = setup
        .bits::<2>("itself", "-cl-unsafe-math-optimizations", &[f32::NAN])?
        .map(f32::from_bits);
    ensure!(found[0].is_nan() && found[1] == 1.0, "{found:?}");
    Ok(())
}

fn fast_relaxed(setup: &Setup) -> Result<()> {
    let found = setup.bits::<2>("macro", "-cl-fast-relaxed-math", &[0.0])?.map(f32::from_bits);
    ensure!(found == [1.0, 1.0], "{found:?}");
    let found =
        setup.bits::<2>("macro", "-cl-unsafe-math-optimizations", &[0.0])?.map(f32::from_bits);
    ensure!(found == [0.0, 0.0], "{found:?}");
    Ok(())
}
