//! Runs a case's kernels in this process, in every variant, and compares the results with those of
//! its reference kernel.

use std::ptr::NonNull;

use anyhow::{Result, anyhow, bail};
use muxcl_elf_loader::{LoadOptions, LoadedObject, PerfMode, section_of};
use muxcl_llvm::Context;
use muxcl_passes::{Finalised, Options, Program, Runner};
use muxcl_target_host::{CodeTarget as _, Rest, Settings, Target, Vectors};
use muxcl_types::combined::{COMBINED_BYTES, CombinedHeader};
use muxcl_types::pack;
use muxcl_types::program::{ArgKind, ProgramInfo};
use muxcl_types::sched::{HostExtra, SchedInfo64};
use muxcl_types::variant::{ElfMeta, KnownWords, NOTE_SECTION, SpecializationKey};

use crate::case::Case;
use crate::compile;
use crate::extent::Extent;

unsafe extern "C" {
    fn memcpy(to: *mut u8, from: *const u8, n: usize) -> *mut u8;
    fn memmove(to: *mut u8, from: *const u8, n: usize) -> *mut u8;
    fn memset(to: *mut u8, value: i32, n: usize) -> *mut u8;
}

/// Guard bytes behind buffers, checked after the run.
const GUARD: usize = 256;

#[repr(C, align(128))]
#[derive(Clone, Copy)]
struct Line([u8; 128]);

fn lines(bytes: u64) -> Vec<Line> {
    vec![Line([0xa5; 128]); usize::try_from(bytes.div_ceil(128)).unwrap_or(0) + GUARD / 128]
}

/// The parameters of a case.
pub(crate) struct RunParameters {
    pub(crate) global: [u64; 3],
    pub(crate) local: [u32; 3],
    pub(crate) offset: [u64; 3],
    pub(crate) n: usize,
    uniform: bool,
    pub(crate) input: Vec<u32>,
}

impl RunParameters {
    pub(crate) fn of(case: &Case) -> Result<Self> {
        let size3 = |d: usize, l: &[u64], or: u64| l.get(d).copied().unwrap_or(or);
        let global = [0, 1, 2].map(|d| size3(d, &case.header.global, 1));
        let local = [0, 1, 2].map(|d| case.header.local.get(d).copied().unwrap_or(1));
        let offset = [0, 1, 2].map(|d| size3(d, &case.header.offset, 0));
        let n = usize::try_from(global.iter().product::<u64>())?;
        let uniform = (0..3).all(|d| global[d] % u64::from(local[d]) == 0);
        let mut random = fastrand::Rng::with_seed(12345);
        let input = (0..4 * n).map(|_| random.u32(..1 << 24)).collect();
        Ok(Self { global, local, offset, n, uniform, input })
    }

    /// Specialization keys that are valid for the case, with names.
    pub(crate) fn variants(&self) -> Vec<(&'static str, SpecializationKey)> {
        let local = Some(self.local);
        let zero_offset = self.offset == [0; 3];
        let mut variants = vec![("any", SpecializationKey::default())];
        variants.push((
            "local",
            SpecializationKey { local_size: local, ..SpecializationKey::default() },
        ));
        if zero_offset {
            variants.push((
                "offset",
                SpecializationKey {
                    local_size: local,
                    zero_offset,
                    small_ids: true,
                    ..SpecializationKey::default()
                },
            ));
        }
        if self.uniform {
            variants.push((
                "uniform",
                SpecializationKey {
                    local_size: local,
                    uniform: true,
                    zero_offset,
                    small_ids: true,
                    ..SpecializationKey::default()
                },
            ));
        }
        variants
    }

    fn job<'a>(
        &'a self,
        case: &Case,
        global: [u64; 3],
        local: [u32; 3],
        offset: [u64; 3],
    ) -> Job<'a> {
        Job {
            global,
            local,
            offset,
            local_bytes: case.header.local_bytes,
            input: &self.input,
            n: self.n,
        }
    }
}

const ONE: SpecializationKey = SpecializationKey {
    local_size: Some([1; 3]),
    uniform: true,
    seen_local_size: None,
    zero_offset: true,
    small_ids: true,
    words: KnownWords::NONE,
};

/// Runs the case in this process.
///
/// # Errors
/// The case does not compile, or the result of a variant differs from the reference.
pub fn run(case: &Case, extent: Extent) -> Result<()> {
    let context = Context::new();
    let mut module = compile::module(&context, case)?;
    // A target with vectors keeps calls of mathematical functions until `vecz` has run. The same
    // bitcode also gives the scalar variants.
    let target = Target::native().with_vectors(Vectors::Faster);
    let options = Options { verify: true, ..Options::default() };
    let settings = Settings::default();
    let run = &mut Runner::new(&options);
    let library = compile::library(&compile::device());
    let Finalised { info, bitcode, .. } =
        target.finalise(&context, &mut module, &library, &settings, run)?;
    let target = Target::native();
    let program = Program { bitcode: &bitcode, info: &info, library: &library };
    let parameters = RunParameters::of(case)?;
    let all = || parameters.job(case, parameters.global, parameters.local, parameters.offset);
    let globals = target.globals(&bitcode, run)?;
    let elf = target.specialise(&program, "expect", &ONE, &settings, run)?;
    let expected =
        parameters.job(case, [1; 3], [1; 3], [0; 3]).run(&elf, &globals, &info, "expect")?;
    let variants = parameters.variants();
    let plain = Settings { opt_disable: true, ..settings.clone() };
    for (keys, settings) in [(variants.clone(), &settings), (extent.keys(&variants, 0), &plain)] {
        for (name, key) in keys {
            let elf = target.specialise(&program, "test", &key, settings, run)?;
            compare(&expected, &all().run(&elf, &globals, &info, "test")?, name)?;
        }
    }
    let elf = target.generic(&program, &settings, run)?;
    compare(&expected, &all().run(&elf, &globals, &info, "test")?, "generic")?;
    for (n, lanes) in LANES.into_iter().enumerate() {
        let target = in_lanes(lanes);
        for (name, key) in extent.keys(&variants, n) {
            let elf = target.specialise(&program, "test", &key, &settings, run)?;
            let found = all().run(&elf, &globals, &info, "test")?;
            compare(&expected, &found, &format!("{name} in {lanes} lanes"))?;
        }
    }
    if case.is_ir() {
        return Ok(());
    }
    let mut debug = case.clone();
    debug.header.options = format!("{} -g", compile::options(case));
    let found = in_lanes_once(&debug, 16)?;
    compare(&expected, &found, "16 lanes with debug information")
}

/// The result of the kernel `test` in vectors, in the most special variant.
fn in_lanes_once(case: &Case, lanes: u32) -> Result<Vec<u32>> {
    let context = Context::new();
    let mut module = compile::module(&context, case)?;
    let options = Options { verify: true, ..Options::default() };
    let settings = Settings::default();
    let run = &mut Runner::new(&options);
    let library = compile::library(&compile::device());
    let target = in_lanes(lanes);
    let finalised = target.finalise(&context, &mut module, &library, &settings, run)?;
    let parameters = RunParameters::of(case)?;
    let variants = parameters.variants();
    let (_, key) = &variants[variants.len() - 1];
    let elf = target.specialise(&finalised.program(&library), "test", key, &settings, run)?;
    let globals = target.globals(&finalised.bitcode, run)?;
    let job = parameters.job(case, parameters.global, parameters.local, parameters.offset);
    job.run(&elf, &globals, &finalised.info, "test")
}

/// A target that vectorizes wherever possible, with this number of lanes.
fn in_lanes(lanes: u32) -> Target {
    let rest = if lanes == 16 { Rest::Scalar } else { Rest::Masked };
    Target::native().with_vectors(Vectors::Always(lanes)).with_rest(rest)
}

/// Compares the results of the kernel `test` of a case as scalar code and in vectors, with each
/// number of `lanes`. If `thorough` is true, the scalar code is compiled without optimisation, and
/// optimised scalar code and a variant for any local size are compared too. Returns a text about
/// the first difference; `None` if all results are equal.
///
/// # Errors
/// The case does not compile or cannot run.
pub fn differs(case: &Case, lanes: &[u32], thorough: bool) -> Result<Option<String>> {
    let context = Context::new();
    let mut module = compile::module(&context, case)?;
    let options = Options { verify: true, ..Options::default() };
    let settings = Settings::default();
    let run = &mut Runner::new(&options);
    let library = compile::library(&compile::device());
    let scalar = Target::native();
    let Finalised { info, bitcode, .. } = Target::native().with_vectors(Vectors::Faster).finalise(
        &context,
        &mut module,
        &library,
        &settings,
        run,
    )?;
    let program = Program { bitcode: &bitcode, info: &info, library: &library };
    let parameters = RunParameters::of(case)?;
    let globals = scalar.globals(&bitcode, run)?;
    let mut execute = |target: &Target, key: &SpecializationKey, settings: &Settings| {
        let elf = target.specialise(&program, "test", key, settings, run)?;
        let job = parameters.job(case, parameters.global, parameters.local, parameters.offset);
        job.run(&elf, &globals, &info, "test")
    };
    let plain = Settings { opt_disable: true, ..settings.clone() };
    let variants = parameters.variants();
    let (general, special) = (&variants[0], &variants[variants.len() - 1]);
    let expected = match thorough {
        true => execute(&scalar, &general.1, &plain)?,
        false => execute(&scalar, &special.1, &settings)?,
    };
    let mut different = |target: &Target, (name, key): &(&str, SpecializationKey), how: &str| {
        let found = execute(target, key, &settings)?;
        let name = format!("{name}, {how}");
        Ok::<_, anyhow::Error>(compare(&expected, &found, &name).err().map(|e| e.to_string()))
    };
    if thorough && let Some(text) = different(&scalar, special, "scalar")? {
        return Ok(Some(text));
    }
    for lanes in lanes {
        let target = in_lanes(*lanes);
        if let Some(text) = different(&target, special, &format!("{lanes} lanes"))? {
            return Ok(Some(text));
        }
    }
    let Some(lanes) = lanes.last().filter(|_| thorough) else { return Ok(None) };
    let target = in_lanes(*lanes).with_rest(Rest::Masked);
    different(&target, general, &format!("{lanes} lanes"))
}

/// The numbers of work-items in a vector with which tests run.
pub const LANES: [u32; 3] = [4, 16, 64];

pub(crate) fn compare(expected: &[u32], found: &[u32], variant: &str) -> Result<()> {
    match expected.iter().zip(found).position(|(a, b)| a != b) {
        None => Ok(()),
        Some(at) => {
            let wrong = expected.iter().zip(found).filter(|(a, b)| a != b).count();
            bail!(
                "variant {variant}: out[{at}] is {}, not {} ({wrong} differ)",
                found[at],
                expected[at]
            )
        }
    }
}

struct Job<'a> {
    global: [u64; 3],
    local: [u32; 3],
    offset: [u64; 3],
    local_bytes: u64,
    input: &'a [u32],
    n: usize,
}

impl Job<'_> {
    fn run(
        &self,
        elf: &[u8],
        globals: &[u8],
        info: &ProgramInfo,
        kernel: &str,
    ) -> Result<Vec<u32>> {
        let note = section_of(elf, NOTE_SECTION)?.ok_or_else(|| anyhow!("no note section"))?;
        let meta = ElfMeta::from_note(note).ok_or_else(|| anyhow!("the note is damaged"))?;
        let variant = meta
            .variants
            .iter()
            .find(|v| v.kernel == kernel)
            .ok_or_else(|| anyhow!("no such variant"))?;
        let load = LoadOptions { debugger: false, perf: PerfMode::Off };
        let libc = |name: &str| match name {
            "memcpy" => Some(memcpy as *const () as u64),
            "memmove" => Some(memmove as *const () as u64),
            "memset" => Some(memset as *const () as u64),
            _ => None,
        };
        let variables =
            if globals.is_empty() { None } else { Some(LoadedObject::load(globals, &libc, load)?) };
        let resolve = |name: &str| libc(name).or_else(|| variables.as_ref()?.symbol(name));
        let object = LoadedObject::load(elf, &resolve, load)?;
        let entry = object
            .symbol(&variant.symbol)
            .ok_or_else(|| anyhow!("no entry point {}", variant.symbol))?;

        let items: u64 = self.local.iter().map(|n| u64::from(*n)).product();
        let scratch_bytes =
            variant.scratch_bytes_per_item * items + variant.scratch_bytes_per_group;
        let mut scratch = lines(scratch_bytes);
        let local_total = variant.local_bytes + 4 * self.local_bytes.next_multiple_of(128);
        let mut local_mem = lines(local_total);
        let mut out = vec![0u32; 4 * self.n + GUARD / 4];
        let marker = 0xdead_beefu32;
        out[4 * self.n..].fill(marker);

        let kernel = info.kernel(kernel).ok_or_else(|| anyhow!("no such kernel"))?;
        let layout = pack::layout(&kernel.args, 8);
        if layout.size != variant.packed_bytes {
            bail!(
                "the variant reads {} bytes of arguments, the layout has {}",
                variant.packed_bytes,
                layout.size
            );
        }
        let mut packed = vec![0u64; (layout.size as usize).div_ceil(8)];
        packed[0] = out.as_mut_ptr().addr() as u64;
        packed[1] = self.input.as_ptr().addr() as u64;
        let bytes: &mut [u32] = bytemuck::cast_slice_mut(&mut packed);
        bytes[4] = u32::try_from(self.n)?;
        for (n, arg) in kernel.args.iter().enumerate().skip(3) {
            let at = layout.offsets[n] as usize / 4;
            if arg.kind == ArgKind::LocalPointer {
                bytes[at] = u32::try_from(self.local_bytes)?;
            } else {
                // An argument by value: the words 1, 2, 3, ...
                for (word, value) in bytes[at..at + arg.size as usize / 4].iter_mut().zip(1u32..) {
                    *word = value;
                }
            }
        }
        let stack = std::ptr::from_ref(&packed).addr() as u64;
        // As the runtime does, this clears `finish` only.
        let mut table = vec![Line([0xa5; 128]); COMBINED_BYTES.div_ceil(128)];
        let header = NonNull::from(&mut table[0]).cast::<CombinedHeader>();
        // SAFETY: the table begins with this header.
        unsafe { (*header.as_ptr()).finish = None };
        let extra = HostExtra {
            global_size: self.global,
            local_mem: local_mem.as_mut_ptr().addr() as u64,
            local_mem_size: local_total,
            scratch: scratch.as_mut_ptr().addr() as u64,
            scratch_size: scratch_bytes,
            stack_low: stack - (1 << 20),
            stack_high: stack + (1 << 16),
            printf: 0,
            launch: 0,
            combined: header.addr().get() as u64,
            counts: 0,
        };
        let groups = [0, 1, 2].map(|d| self.global[d].div_ceil(self.local[d].into()));
        let rank = if self.global[2] > 1 {
            3
        } else if self.global[1] > 1 {
            2
        } else {
            1
        };
        // SAFETY: the object defines this symbol as the kernel ABI's entry point, and the launch
        // matches the variant's key.
        let call: extern "C" fn(*const u64, *const SchedInfo64) = unsafe {
            std::mem::transmute(std::ptr::with_exposed_provenance::<()>(
                usize::try_from(entry).unwrap_or(0),
            ))
        };
        // Two calls with different boxes: the first row of groups, then the other rows.
        for (start, count) in boxes(groups) {
            let sched = SchedInfo64 {
                group_id_start: start,
                num_groups_total: groups,
                global_offset: self.offset,
                local_size: self.local,
                num_dim: rank,
                num_groups_per_call: count,
                hal_extra: std::ptr::from_ref(&extra).addr() as u64,
            };
            call(packed.as_ptr(), &raw const sched);
        }
        // SAFETY: as above. The kernel may have stored a function for this table there.
        let finish = unsafe { (*header.as_ptr()).finish };
        if let Some(finish) = finish {
            finish(header);
        }
        for (name, memory, used) in
            [("scratch", &scratch, scratch_bytes), ("local", &local_mem, local_total)]
        {
            let bytes = memory.iter().flat_map(|l| l.0).skip(usize::try_from(used)?);
            if bytes.into_iter().any(|b| b != 0xa5) {
                bail!("the kernel wrote past the end of its {name} memory");
            }
        }
        if out[4 * self.n..].iter().any(|v| *v != marker) {
            bail!("the kernel wrote past the end of its buffer");
        }
        out.truncate(4 * self.n);
        Ok(out)
    }
}

pub(crate) fn boxes(groups: [u64; 3]) -> Vec<([u64; 3], [u64; 3])> {
    if groups[0] < 2 {
        return vec![([0; 3], groups)];
    }
    vec![([0; 3], [1, groups[1], groups[2]]), ([1, 0, 0], [groups[0] - 1, groups[1], groups[2]])]
}
