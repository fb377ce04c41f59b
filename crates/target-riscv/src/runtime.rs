//! Objects of the run-time library, compiled once in a process for each kind of device. Not here:
//! the library's sources (`builtins/runtime`).

use std::collections::BTreeMap;
use std::sync::Arc;

use muxcl_builtins::runtime;
use muxcl_llvm::{Context, Module, OptLevel};
use muxcl_lock::{Mutex, Rank};
use muxcl_passes::{CodeTarget as _, PassError};

use crate::Target;

/// The cache key of an object: features, calling convention, position independence, and the number
/// of the member.
type Key = (String, String, bool, u16);

static OBJECTS: Mutex<BTreeMap<Key, Arc<Vec<u8>>>> = Mutex::new(Rank::Compiler, BTreeMap::new());

/// A member, compiled for the target. Each function has its own section, so that an image contains
/// only the functions it calls.
pub(crate) fn object(target: &Target, member: u16) -> Result<Arc<Vec<u8>>, PassError> {
    let key: Key = (
        format!("{}{}", target.isa().xlen, target.features()),
        target.abi.clone(),
        target.script.is_empty(),
        member,
    );
    if let Some(found) = OBJECTS.lock().get(&key) {
        return Ok(Arc::clone(found));
    }
    let context = Context::new();
    let mut module = Module::parse(&context, runtime::member(target.isa().xlen, member))?;
    let machine = target.machine(OptLevel::Default)?;
    module.set_triple(target.triple());
    module.set_layout(&machine.layout());
    // The flags name the calling convention of the smallest device, which may differ from this one.
    module.erase_named_metadata("llvm.module.flags");
    for f in module.definitions() {
        for name in ["target-cpu", "target-features", "tune-cpu"] {
            f.remove_string_attribute(name);
        }
        f.value().set_section(&format!(".text.{}", f.name()));
    }
    target.tune(&module);
    let object = Arc::new(machine.emit_object(&mut module)?);
    // Another thread may have inserted the object meanwhile; both objects are equal.
    OBJECTS.lock().insert(key, Arc::clone(&object));
    Ok(object)
}

#[cfg(test)]
mod tests {
    use super::*;
    use muxcl_types::device::HalTarget;
    use std::collections::BTreeSet;

    /// The optimiser must not recognise floating-point arithmetic in soft-float functions: it would
    /// turn it into calls of the same functions.
    #[test]
    fn soft_floating_point_is_made_of_integers() {
        for xlen in [32, 64] {
            let members: BTreeSet<u16> = runtime::symbols(xlen).map(|(_, m)| m).collect();
            for member in members {
                let context = Context::new();
                let text =
                    Module::parse(&context, runtime::member(xlen, member)).unwrap().to_string();
                for line in text.lines() {
                    for word in [
                        "fcmp ",
                        "fadd ",
                        "fsub ",
                        "fmul ",
                        "fdiv ",
                        "fptosi ",
                        "fptoui ",
                        "sitofp ",
                        "uitofp ",
                        "fpext ",
                        "fptrunc ",
                        "is.fpclass",
                    ] {
                        assert!(
                            !line.contains(&format!(" {word}"))
                                && !line.contains(&format!(".{word}")),
                            "{line}"
                        );
                    }
                }
            }
        }
    }

    /// Every member compiles for every kind of device, and calls only functions that the library
    /// defines.
    #[test]
    fn the_library_is_closed() {
        for isa in [
            "RV64I",
            "RV64IMAC",
            "RV64GC",
            "RV64GCV_Zfh",
            "RV64GCV_Zfh_Zvfh",
            "RV32I",
            "RV32IMAC",
            "RV32GC",
            "RV64IMAFC",
        ] {
            for script in ["", "SECTIONS {}"] {
                let hal = HalTarget {
                    isa: isa.into(),
                    vlen: 128,
                    linker_script: script.into(),
                    ..HalTarget::default()
                };
                let target = Target::new(&hal).unwrap();
                let xlen = target.isa().xlen;
                let members: BTreeSet<u16> = runtime::symbols(xlen).map(|(_, m)| m).collect();
                assert!(members.len() > 8);
                for member in members {
                    let object = object(&target, member).unwrap();
                    for name in crate::link::undefined(&object).unwrap() {
                        assert!(runtime::find(xlen, &name).is_some(), "{isa}: {name} is undefined");
                    }
                }
            }
        }
    }
}
