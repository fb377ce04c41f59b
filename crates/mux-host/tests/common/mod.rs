//! Kernels in C, which clang compiles when a test runs, with a note like the compiler's.

use muxcl_mux::{
    ArgBlock, Buffer, CommandBuffer, CommandId, Descriptor, Device, Executable, Kernel, Launch,
    MuxError, NdRange,
};
use muxcl_types::pack::PackedLayout;
use muxcl_types::variant::{ElfMeta, SpecializationKey, Variant};
use std::fmt::Write as _;
use std::process::Command;
use std::sync::Arc;

/// The start of every kernel source: the kernel ABI and a loop over the call's groups.
const PRELUDE: &str = r"
typedef unsigned long u64; typedef unsigned int u32;
typedef struct { u64 group_id_start[3], groups[3], offset[3]; u32 local[3], dim; u64 per_call[3]; const void *extra; } Sched;
typedef struct { u64 global[3]; char *local_mem; u64 local_size; char *scratch; u64 scratch_size;
  char *stack_low, *stack_high;
  u64 printf, launch, *combined; } Extra;
#define EXTRA ((const Extra *)s->extra)
#define FOR_GROUPS for (u64 gz = s->group_id_start[2]; gz < s->group_id_start[2] + s->per_call[2]; gz++) \
  for (u64 gy = s->group_id_start[1]; gy < s->group_id_start[1] + s->per_call[1]; gy++) \
  for (u64 gx = s->group_id_start[0]; gx < s->group_id_start[0] + s->per_call[0]; gx++)
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define FOR_ITEMS(D, g) for (u64 i##D = (g) * s->local[D]; i##D < MIN(((g) + 1) * s->local[D], EXTRA->global[D]); i##D++)
#define KERNEL(name) void name(const void *args, const Sched *s)
";

/// Compiles kernels. `variants` name the entry points and their requirements.
pub(crate) fn elf(source: &str, variants: &[Variant]) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kernels.o");
    let mut note = String::from("\n__asm__(\".pushsection .note.muxcl,\\\"\\\",@note\\n");
    for byte in (ElfMeta { variants: variants.to_vec(), ..ElfMeta::default() }).to_note().unwrap() {
        write!(note, ".byte {byte}\\n").unwrap();
    }
    note.push_str(".popsection\");\n");
    let mut child = Command::new("/usr/lib/llvm-22/bin/clang")
        .args(["-x", "c", "-", "-c", "-O2", "-fPIC", "-march=native", "-fno-builtin", "-w", "-o"])
        .arg(&path)
        .stdin(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let text = format!("{PRELUDE}{source}{note}");
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), text.as_bytes()).unwrap();
    assert!(child.wait().unwrap().success());
    std::fs::read(&path).unwrap()
}

/// A variant without special requirements.
pub(crate) fn variant(name: &str) -> Variant {
    Variant { kernel: name.into(), symbol: name.into(), stack_bytes: 4096, ..Variant::default() }
}

/// Loads kernels without special requirements.
pub(crate) fn load(device: &Device, source: &str, names: &[&str]) -> Executable {
    let variants: Vec<_> = names.iter().map(|n| variant(n)).collect();
    device.create_executable(&elf(source, &variants), &[]).unwrap()
}

pub(crate) fn kernel(executable: &Executable, name: &str) -> Kernel {
    executable.create_kernel(name, &SpecializationKey::default()).unwrap()
}

/// An argument of a test kernel, always eight bytes.
pub(crate) enum Arg<'a> {
    Buffer(&'a Buffer),
    Value(u64),
    Local(u64),
}

pub(crate) fn args(list: &[Arg<'_>]) -> Arc<ArgBlock> {
    let count = u32::try_from(list.len()).unwrap();
    let layout = PackedLayout {
        offsets: (0..count).map(|i| i * 8).collect(),
        sizes: vec![8; list.len()],
        size: count * 8,
    };
    let mut block = ArgBlock::new(Arc::new(layout), 8);
    for (i, arg) in list.iter().enumerate() {
        match arg {
            Arg::Buffer(b) => block.set(i, Descriptor::Buffer((*b).clone(), 0)).unwrap(),
            Arg::Value(v) => block.set_data(i, &v.to_le_bytes()).unwrap(),
            Arg::Local(n) => block.set(i, Descriptor::LocalBuffer(*n)).unwrap(),
        }
    }
    Arc::new(block)
}

/// A buffer of zeros.
pub(crate) fn buffer(device: &Device, bytes: u64) -> Buffer {
    let memory = device.allocate(bytes, 0, muxcl_mux::AllocationType::Device).unwrap();
    let buffer = device.create_buffer(&memory, 0, bytes).unwrap();
    // SAFETY: new memory of that size, which no other code knows yet.
    unsafe { buffer.host_ptr().unwrap().write_bytes(0, usize::try_from(bytes).unwrap()) };
    buffer
}

/// The buffer's content. No command may be running.
pub(crate) fn words(buffer: &Buffer) -> &[u32] {
    let count = usize::try_from(buffer.size() / 4).unwrap();
    // SAFETY: the memory is alive, initialised and aligned; tests read it only while no command
    // writes it.
    unsafe { std::slice::from_raw_parts(buffer.host_ptr().unwrap().cast::<u32>(), count) }
}

pub(crate) fn range(
    kernel: &Kernel,
    args: &Arc<ArgBlock>,
    global: [u64; 3],
    local: [u64; 3],
) -> Launch {
    Launch {
        kernel: kernel.clone(),
        args: args.clone(),
        range: NdRange { work_dim: 3, offset: [0; 3], global, local },
        default_queue: None,
    }
}

/// A finalised command buffer.
pub(crate) fn commands(device: &Device, record: impl FnOnce(&mut CommandBuffer)) -> CommandBuffer {
    let mut commands = device.create_command_buffer();
    record(&mut commands);
    commands.finalise().unwrap();
    commands
}

/// A finalised command buffer of one command.
pub(crate) fn single(
    device: &Device,
    record: impl FnOnce(&mut CommandBuffer) -> Result<CommandId, MuxError>,
) -> CommandBuffer {
    commands(device, |c| {
        record(c).unwrap();
    })
}
