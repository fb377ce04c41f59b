//! Options that `muxc` and `veczc` share.

use anyhow::{Context as _, Result, bail};
use muxcl_frontend_clang::STACK_BYTES;
use muxcl_target_host::{Target, Vectors};
use muxcl_types::options::work_size;
use muxcl_types::variant::SpecializationKey;

use crate::Machine;

/// Instruction sets and lengths of vector registers of RefSi devices.
const REFSI: [(&str, &str, u32); 2] =
    [("refsi-g1", "RV64GCV_Zfh_Zvfh", 128), ("refsi-m1", "RV64GCV_Zbc_Zfh_Zvfh", 512)];

/// The device to compile for.
#[derive(clap::Args, Debug)]
pub struct DeviceArgs {
    /// The device: `host`, `refsi-g1`, `refsi-m1`, or a RISC-V instruction set such as `RV64GCV`.
    #[arg(long, default_value = "host", visible_alias = "isa")]
    pub device: String,
    /// The length of the vector registers of a RISC-V instruction set in bits; 0: not known at
    /// compile time, so that vectors are scalable.
    #[arg(long)]
    pub vlen: Option<u32>,
    /// A processor by LLVM's name, such as `x86-64-v4`; default: this machine's.
    #[arg(long)]
    pub cpu: Option<String>,
    /// Features besides those of the processor's name, such as `+avx512f,+avx512vl`.
    #[arg(long, default_value = "", requires = "cpu", allow_hyphen_values = true)]
    pub features: String,
    /// Lanes of each loop over work-items, a power of two. Without it the cost model chooses, and
    /// may keep a loop scalar.
    #[arg(long, value_parser = lanes, conflicts_with = "scalar")]
    pub lanes: Option<u32>,
    /// No lanes: only LLVM's loop vectorizer, as with `MUXCL_VECZ=0`.
    #[arg(long)]
    pub scalar: bool,
}

/// The kernel and its launch.
#[derive(clap::Args, Debug)]
pub struct LaunchArgs {
    /// The kernel; default: every kernel of the program.
    #[arg(long)]
    pub kernel: Option<String>,
    /// The local size of the launch, such as `16,16`; default: not known.
    #[arg(long, value_parser = work_size)]
    pub local: Option<[u32; 3]>,
    /// The local size that the kernel sees, if `--local` is that of several groups that run as one.
    #[arg(long, requires = "local", requires = "uniform", value_parser = work_size)]
    pub seen: Option<[u32; 3]>,
    /// All groups have the local size: the global size is a multiple of it.
    #[arg(long, requires = "local")]
    pub uniform: bool,
}

impl DeviceArgs {
    /// The device, with its code generator.
    ///
    /// # Errors
    /// No device of that name, or options that are of another kind of device.
    pub fn machine(&self) -> Result<Machine> {
        let vectors = match self.lanes {
            Some(lanes) => Vectors::Always(lanes),
            None if self.scalar => Vectors::Llvm,
            None => Vectors::Faster,
        };
        let host = Machine::this_host();
        if self.device == "host" {
            if self.vlen.is_some() {
                bail!("--vlen is of RISC-V devices: name one by --device");
            }
            let target = match &self.cpu {
                Some(cpu) => Target::new(cpu, &self.features),
                None => Target::native(),
            };
            return Ok(Machine::host(host, target.with_vectors(vectors)));
        }
        if self.cpu.is_some() {
            bail!("--cpu is of the device host, not of {}", self.device);
        }
        let refsi = REFSI.iter().find(|(name, ..)| *name == self.device);
        let (isa, vlen) = refsi.map_or((self.device.as_str(), 0), |(_, isa, vlen)| (*isa, *vlen));
        Machine::riscv(host, isa, self.vlen.unwrap_or(vlen), vectors).with_context(|| {
            format!("--device {}: host, refsi-g1, refsi-m1 or an instruction set", self.device)
        })
    }
}

impl LaunchArgs {
    /// What the passes know of the launch.
    #[must_use]
    pub fn key(&self) -> SpecializationKey {
        SpecializationKey {
            local_size: self.local,
            seen_local_size: self.seen,
            zero_offset: true,
            uniform: self.uniform,
            small_ids: true,
            ..SpecializationKey::default()
        }
    }
}

fn lanes(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(lanes @ (2 | 4 | 8 | 16 | 32 | 64)) => Ok(lanes),
        _ => Err("not a power of two from 2 to 64".to_owned()),
    }
}

/// The build options with source lines for messages, and whether the user did not ask for them, so
/// that they are not to be shown.
#[must_use]
pub fn with_lines(options: &str) -> (String, bool) {
    let added = !options.split_whitespace().any(|option| option.starts_with("-g"));
    (format!("{options}{}", if added { " -gline-tables-only" } else { "" }), added)
}

/// Does `work` on a thread whose stack is large enough for clang and LLVM.
///
/// # Errors
/// Those of `work`; no thread, or a panic.
pub fn with_stack(work: impl FnOnce() -> Result<()> + Send + 'static) -> Result<()> {
    let worker = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(work);
    let worker = worker.context("no thread can be started")?;
    worker.join().unwrap_or_else(|_| bail!("the compiler panicked"))
}
