//! Turns the object of kernels into an image: finds the needed members of the run-time library, and
//! links.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use goblin::elf::Elf;
use muxcl_llvm::{Builder, Context, LlvmError, Module, OptLevel, link_elf};
use muxcl_lock::{Mutex, Rank};
use muxcl_passes::{CodeTarget as _, PassError};

use crate::Target;
use crate::runtime;

/// Links the image; `symbols` are the kernels' entry points.
pub(crate) fn image(
    target: &Target,
    object: &[u8],
    symbols: &[&str],
) -> Result<Vec<u8>, PassError> {
    let parts = needed(target, object)?;
    if target.relocatable {
        return relocatable(target, object, &parts);
    }
    let mut options: Vec<String> = [
        "--gc-sections",
        "--build-id=none",
        "--hash-style=sysv",
        "--no-relax",
        "-zmax-page-size=4096",
        "--no-undefined",
        "--no-undefined-version",
        "--discard-locals",
        "-e",
        "0",
    ]
    .map(str::to_owned)
    .into();
    options.push(emulation(target).to_owned());
    if target.script.is_empty() {
        // Constants with relocations have pages of their own, which a HAL can make read-only.
        options.extend(
            ["-pie", "--no-dynamic-linker", "-zseparate-code", "-ztext", "-zrelro"]
                .map(str::to_owned),
        );
    } else {
        options.extend(["-static", "-znorelro"].map(str::to_owned));
    }
    options.extend(symbols.iter().map(|s| format!("--undefined={s}")));
    let options: Vec<&str> = options.iter().map(String::as_str).collect();
    let names: Vec<String> = (0..parts.len()).map(|n| format!("runtime.{n}.o")).collect();
    let mut inputs: Vec<(&str, &[u8])> = Vec::new();
    if !target.script.is_empty() {
        inputs.push(("linker script", target.script.as_bytes()));
    }
    inputs.push(("kernels.o", object));
    inputs.extend(names.iter().zip(&parts).map(|(n, p)| (n.as_str(), p.as_slice())));
    Ok(link_elf(&options, &inputs)?)
}

/// Results of [`check`], by everything that an image depends on besides its objects (instruction
/// set, calling convention, linker script): lld's messages if the link failed. The list is short,
/// because a process has few devices.
type Checked = BTreeMap<(String, String, String), Option<String>>;
static CHECKED: Mutex<Checked> = Mutex::new(Rank::Compiler, BTreeMap::new());

/// Links an image of one empty function, once for each description of a device. So an unusable
/// linker script fails the build and not the first launch.
///
/// # Errors
/// lld's messages.
pub(crate) fn check(target: &Target) -> Result<(), PassError> {
    if target.script.is_empty() {
        // Without a script, only the options of this file apply, which are valid.
        return Ok(());
    }
    let features = format!("{}{}", target.isa.xlen, target.features);
    let key = (features, target.abi.clone(), target.script.clone());
    let known = CHECKED.lock().get(&key).cloned();
    let refused = match known {
        Some(refused) => refused,
        None => {
            let refused = match link_empty(target) {
                Ok(()) => None,
                Err(PassError::Llvm(LlvmError::Link(words))) => Some(words),
                Err(other) => return Err(other),
            };
            CHECKED.lock().insert(key, refused.clone());
            refused
        }
    };
    match refused {
        None => Ok(()),
        Some(words) => {
            let words = format!("the device's linker script cannot be used: {words}");
            Err(PassError::Llvm(LlvmError::Link(words)))
        }
    }
}

fn link_empty(target: &Target) -> Result<(), PassError> {
    let context = Context::new();
    let mut module = Module::new(&context, "empty");
    let machine = target.machine(OptLevel::None)?;
    module.set_triple(target.triple());
    module.set_layout(&machine.layout());
    let f = module.add_function(EMPTY, module.cx().function(module.cx().void(), &[]));
    Builder::at_end(f.append_block("entry")).ret_void();
    let object = machine.emit_object(&mut module)?;
    image(target, &object, &[EMPTY]).map(drop)
}

const EMPTY: &str = "muxcl.empty";

/// lld's name for this kind of ELF file.
fn emulation(target: &Target) -> &'static str {
    if target.isa.xlen == 64 { "-melf64lriscv" } else { "-melf32lriscv" }
}

/// Links the kernels and the needed members of the run-time library to one relocatable object.
fn relocatable(
    target: &Target,
    object: &[u8],
    parts: &[Arc<Vec<u8>>],
) -> Result<Vec<u8>, PassError> {
    let names: Vec<String> = (0..parts.len()).map(|n| format!("runtime.{n}.o")).collect();
    let mut inputs: Vec<(&str, &[u8])> = vec![("kernels.o", object)];
    inputs.extend(names.iter().zip(parts).map(|(n, p)| (n.as_str(), p.as_slice())));
    Ok(link_elf(&["-r", "--build-id=none", emulation(target)], &inputs)?)
}

/// The objects of the run-time library that `object` needs, directly or indirectly, in the order of
/// discovery.
fn needed(target: &Target, object: &[u8]) -> Result<Vec<Arc<Vec<u8>>>, PassError> {
    let mut found: BTreeSet<u16> = BTreeSet::new();
    let mut parts: Vec<Arc<Vec<u8>>> = Vec::new();
    let mut work = undefined(object)?;
    while let Some(name) = work.pop() {
        let Some(member) = muxcl_builtins::runtime::find(target.isa.xlen, &name) else { continue };
        if found.insert(member) {
            let part = runtime::object(target, member)?;
            work.extend(undefined(&part)?);
            parts.push(part);
        }
    }
    Ok(parts)
}

/// The undefined symbols of an object, sorted.
pub(crate) fn undefined(object: &[u8]) -> Result<Vec<String>, PassError> {
    let elf = Elf::parse(object)
        .map_err(|e| PassError::Internal { pass: "link", what: e.to_string() })?;
    let names =
        elf.syms.iter().filter(|s| s.st_shndx == 0).filter_map(|s| elf.strtab.get_at(s.st_name));
    let names: BTreeSet<&str> = names.filter(|n| !n.is_empty()).collect();
    Ok(names.into_iter().map(str::to_owned).collect())
}
