//! Compares sizes and offsets with those of a C++ compiler that reads our headers. Needs a
//! compiler.

use muxcl_hal_abi::{
    Arg, Call, CounterDescription, CxxString, DeviceFns, DeviceInfo, DeviceObject, HalFns, HalInfo,
    NdRange, RiscvDeviceInfo,
};
use std::mem::{offset_of, size_of};
use std::path::Path;
use std::process::Command;

/// A C++ expression and the value that Rust expects for it.
fn ours() -> Vec<(&'static str, usize)> {
    macro_rules! offsets {
        ($($rust:ident $cxx:literal: $($field:ident $name:literal),*;)*) => {
            vec![$((concat!("sizeof(", $cxx, ")"), size_of::<$rust>()), $((concat!("offsetof(", $cxx, ", ", $name, ")"), offset_of!($rust, $field)),)*)*]
        };
    }
    let mut all = offsets! {
        HalInfo "hal::hal_info_t": platform_name "platform_name", num_devices "num_devices", api_version "api_version";
        Arg "hal::hal_arg_t": kind "kind", space "space", size "size", value "address", value "pod_data";
        Call "hal::hal_call_t": kind "kind", work_dim "work_dim", to "to", from "from",
            size "size", host "host", pattern_size "pattern_size", program "program",
            kernel "kernel", nd_range "nd_range", args "args", num_args "num_args";
        NdRange "hal::hal_ndrange_t": offset "offset", global "global", local "local";
        CounterDescription "hal::hal_counter_description_t": counter_id "counter_id", name "name", description "description",
            sub_value_name "sub_value_name", contained_values "contained_values", unit "unit", log_cfg "log_cfg";
        DeviceInfo "hal::hal_device_info_t": kind "type", word_size "word_size", target_name "target_name",
            global_memory_avail "global_memory_avail", shared_local_memory_size "shared_local_memory_size", should_link "should_link",
            linker_script "linker_script", should_vectorize "should_vectorize", preferred_vector_width "preferred_vector_width",
            supports_fp16 "supports_fp16", supports_doubles "supports_doubles", max_workgroup_size "max_workgroup_size",
            is_little_endian "is_little_endian", num_counters "num_counters", counter_descriptions "counter_descriptions",
            link_shared "link_shared";
        RiscvDeviceInfo "riscv::hal_device_info_riscv_t": extensions "extensions", abi "abi", vlen "vlen";
        CxxString "std::string": ;
        DeviceObject "hal::hal_device_t": ;
    };
    // A pointer to a virtual member function is its offset in the table plus one.
    macro_rules! slots {
        ($fns:ident $class:literal: $($field:ident),*) => {
            all.extend([$((concat!("slot(&", $class, "::", stringify!($field), ")"), offset_of!($fns, $field))),*])
        };
    }
    slots!(HalFns "hal::hal_t": get_info, device_get_info, device_create, device_delete);
    slots!(DeviceFns "hal::hal_device_t": program_find_kernel, program_load, kernel_exec, program_free, mem_alloc, mem_copy, mem_free,
        mem_fill, mem_read, mem_write, counter_read, counter_set_enabled);
    all
}

fn check(compiler: &str) {
    let scratch = tempfile::tempdir().expect("a temporary folder");
    let folder = scratch.path();
    let (source, program) = (folder.join("layout.cpp"), folder.join("layout"));
    let lines: String = ours()
        .iter()
        .map(|(e, _)| format!("printf(\"%zu\\n\", static_cast<size_t>({e}));\n"))
        .collect();
    let text = format!(
        "#include <cstddef>\n#include <cstdio>\n#include \"hal_riscv.h\"\n\
         template <typename T> size_t slot(T f) {{ size_t v; memcpy(&v, &f, sizeof v); return v - 1; }}\n\
         static_assert(riscv::rv_extension_Zkt == 1u << 30 && riscv::rv_abi_LP64D == 6 &&\n\
                       hal::hal_counter_unit_cycles == 10 && hal::hal_call_exec == 4);\n\
         int main() {{\n{lines}return 0;\n}}\n"
    );
    std::fs::write(&source, text).expect("a file");
    let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("include");
    let built = Command::new(compiler)
        .args(["-std=c++17", "-Wall", "-Wno-invalid-offsetof", "-I"])
        .arg(&include)
        .arg(&source)
        .arg("-o")
        .arg(&program)
        .output()
        .unwrap_or_else(|error| panic!("{compiler}: {error}"));
    assert!(built.status.success(), "{compiler}: {}", String::from_utf8_lossy(&built.stderr));
    let output = Command::new(&program).output().expect("it runs");
    let theirs: Vec<usize> = String::from_utf8_lossy(&output.stdout)
        .lines()
        .map(|l| l.parse().expect("a number"))
        .collect();
    let ours = ours();
    assert_eq!(ours.len(), theirs.len());
    for ((expression, ours), theirs) in ours.iter().zip(theirs) {
        assert_eq!(*ours, theirs, "{compiler}: {expression}");
    }
}

#[test]
fn layouts_are_the_compilers() {
    for compiler in ["g++", "/usr/lib/llvm-22/bin/clang++"] {
        check(compiler);
    }
}
