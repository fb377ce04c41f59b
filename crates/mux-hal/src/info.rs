//! Device description of a HAL device.
//!
//! Invariant: the description is the host device's without the features that the HAL device lacks,
//! because one compiler generates the kernels of both.

use crate::enqueue::queues::DEVICE_QUEUES;
use muxcl_hal::DeviceInfo as HalInfo;
use muxcl_hal::target::{Extensions, Target};
use muxcl_mux::{AtomicCaps, DeviceInfo, DeviceType, FloatCaps, LocalMemoryType, MuxError};
use muxcl_types::device::{
    C_FEATURES, DOUBLE_ATOMICS, DeviceDesc, FLOAT_ATOMICS, HALF_ATOMICS, HalTarget, IL_EXTENSIONS,
    IMAGE_EXTENSIONS, IMAGE_FEATURES, PROGRAM_VARIABLES, SUB_GROUP_EXTENSIONS, Vecz,
};

/// Maximum local memory in bytes, whatever size the device reports: local memory is on the stack of
/// the hart that runs the group (`passes::kernel_abi`).
const MOST_LOCAL: u64 = 512 << 10;
/// Minimum local memory of the full profile, in bytes. The stack of every device has room for it.
const LEAST_LOCAL: u64 = 32 << 10;

/// Minimum global memory in bytes of a device with device-side queues.
const LEAST_FOR_QUEUES: u64 = 64 << 20;

/// Extensions of every RISC-V device behind a HAL, whatever instructions and properties the device
/// has.
const ALWAYS: &[&str] = &[
    "cl_ext_buffer_device_address",
    "cl_ext_cxx_for_opencl",
    "cl_khr_byte_addressable_store",
    "cl_khr_extended_async_copies",
    "cl_khr_async_work_group_copy_fence",
    "cl_khr_extended_bit_ops",
    "cl_khr_integer_dot_product",
    "cl_khr_work_group_uniform_arithmetic",
];
/// Features of a device with a timer that kernels can read.
const CLOCK_FEATURES: &[&str] = &[
    "__opencl_c_kernel_clock_scope_device",
    "__opencl_c_kernel_clock_scope_work_group",
    "__opencl_c_kernel_clock_scope_sub_group",
];
/// Features that need 32-bit atomic instructions.
const ATOMICS: &[&str] = &[
    "cl_khr_global_int32_base_atomics",
    "cl_khr_global_int32_extended_atomics",
    "cl_khr_local_int32_base_atomics",
    "cl_khr_local_int32_extended_atomics",
];
/// Features that need 64-bit atomic instructions.
const WIDE_ATOMICS: &[&str] = &["cl_khr_int64_base_atomics", "cl_khr_int64_extended_atomics"];

/// Builds the description of a device from what its HAL reports. `platform` is the HAL's name. The
/// device need not exist on this machine.
///
/// # Errors
/// `DeviceFault` if the description is invalid.
pub fn translate(platform: &str, hal: &HalInfo) -> Result<DeviceInfo, MuxError> {
    let bits = hal.word_size;
    if !matches!(bits, 32 | 64)
        || hal.global_memory < 1 << 20
        || hal.max_workgroup_size == 0
        || !hal.little_endian
    {
        let text = format!(
            "the HAL describes no device: {bits} bit words, {} bytes of memory, groups of {}",
            hal.global_memory, hal.max_workgroup_size
        );
        return Err(MuxError::DeviceFault(text));
    }
    let has = |e: Extensions| hal.extensions.contains(e);
    let wide = has(Extensions::A) && bits == 64;
    let float = FloatCaps {
        denorm: true,
        inf_nan: true,
        round_nearest: true,
        round_zero: true,
        round_inf: true,
        fma: true,
        correct_div_sqrt: true,
        soft: !has(Extensions::F),
    };
    // As on the host device, narrow types support the other rounding modes in conversions only.
    let single = FloatCaps { round_zero: false, round_inf: false, ..float };
    let half = FloatCaps { correct_div_sqrt: false, ..single };
    let none = FloatCaps::default();
    let mut extensions: Vec<&str> =
        [ALWAYS, SUB_GROUP_EXTENSIONS, IMAGE_EXTENSIONS, IL_EXTENSIONS].concat();
    let mut features: Vec<&str> = [C_FEATURES, IMAGE_FEATURES].concat();
    let said = &hal.properties;
    if said.timer {
        extensions.push("cl_khr_kernel_clock");
        features.extend(CLOCK_FEATURES);
    }
    let coarse_svm = said.shared_addresses && bits == usize::BITS;
    if coarse_svm {
        // `shared_addresses` promises that the process can map pages at the addresses of device
        // allocations.
        extensions.push("cl_intel_unified_shared_memory");
    }
    if !said.keeps_variables {
        features.retain(|name| *name != PROGRAM_VARIABLES);
    }
    if has(Extensions::A) {
        extensions.extend(ATOMICS);
        // Half and double precision are set below if the device has them. 16-bit values are
        // exchanged within a 32-bit word.
        extensions.push("cl_ext_float_atomics");
        features.extend(FLOAT_ATOMICS);
    }
    if wide {
        extensions.extend(WIDE_ATOMICS);
        // Pipe reservations use 64-bit sequence numbers.
        features.push("__opencl_c_pipes");
    }
    // Kernels share an event table of 64-bit words in a few MiB of memory. OpenCL C requires
    // program-scope variables for device-side enqueue.
    let enqueues = wide && hal.global_memory >= LEAST_FOR_QUEUES && said.keeps_variables;
    if enqueues {
        features.push("__opencl_c_device_enqueue");
    }
    if hal.fp16 {
        extensions.push("cl_khr_fp16");
        features.extend(HALF_ATOMICS.iter().filter(|_| has(Extensions::A)));
    }
    if hal.fp64 {
        extensions.push("cl_khr_fp64");
        features.push("__opencl_c_fp64");
        features.extend(DOUBLE_ATOMICS.iter().filter(|_| wide));
    }
    let list = |names: Vec<&str>| names.into_iter().map(str::to_owned).collect();
    // A 32-bit device cannot use its whole address space as memory.
    let memory =
        if bits == 32 { hal.global_memory.min(u64::from(u32::MAX)) } else { hal.global_memory };
    let groups = u64::from(hal.max_workgroup_size).min(4096);
    let local = hal.local_memory.clamp(LEAST_LOCAL, MOST_LOCAL);
    let target = Target { xlen: bits, extensions: hal.extensions };
    let vectors = hal.should_vectorize && has(Extensions::V);
    let vecz = match vectors {
        true => Vecz::of_variable(muxcl_config::MUXCL_VECZ.get().as_deref()),
        // Without vectors, code is the same for small and large global ids. With `Off`, the runtime
        // does not compile separate variants for them.
        false => Vecz::Off,
    };
    let vector_bits = match (vectors, hal.preferred_vector_width) {
        (false, _) => 32,
        (true, 0) => hal.vlen,
        (true, preferred) => preferred,
    };
    let vector_bytes = 1 << (vector_bits / 8).clamp(4, 128).ilog2();
    let name = if hal.target_name.to_ascii_lowercase().contains(&platform.to_ascii_lowercase())
        || platform.is_empty()
    {
        hal.target_name.clone()
    } else {
        format!("{} ({platform})", hal.target_name)
    };
    Ok(DeviceInfo {
        name,
        vendor: "muxcl".to_owned(),
        device_type: DeviceType::Accelerator,
        desc: DeviceDesc {
            id: format!("riscv{bits}"),
            cpu: String::new(),
            features: target_features(hal),
            address_bits: bits,
            extensions: list(extensions),
            c_features: list(features),
            images: true,
            max_work_group_size: groups,
            local_mem_bytes: local,
            requirements: muxcl_types::device::ContextRequirements::default(),
            vecz,
            hal: Some(HalTarget {
                isa: target.to_string(),
                abi: hal.abi.name().to_owned(),
                vlen: hal.vlen,
                linker_script: hal.linker_script.clone().unwrap_or_default(),
                relocatable: !hal.should_link,
                scalar: !hal.should_vectorize,
                dma: said.dma.filter(|_| bits == 64),
            }),
        },
        address_bits: bits,
        little_endian: hal.little_endian,
        half: if hal.fp16 { half } else { none },
        single,
        double: if hal.fp64 { float } else { none },
        atomics: AtomicCaps { int32: has(Extensions::A), int64: wide },
        compute_units: said.compute_units.unwrap_or(1),
        partitionable: false,
        clock_mhz: said.clock_mhz.unwrap_or(0),
        max_work_group_size: groups,
        max_work_item_sizes: [groups; 3],
        global_memory: memory,
        // Programs and stacks of kernels use the same memory.
        max_allocation: memory / 4 * 3,
        cache_size: 0,
        cache_line: 64,
        local_memory: local,
        local_memory_type: LocalMemoryType::Virtual,
        buffer_alignment: 128,
        vector_bytes,
        host_unified_memory: false,
        can_import_host: false,
        system_svm: false,
        coarse_svm,
        pipes: wide,
        device_queues: enqueues.then_some(DEVICE_QUEUES),
        images: true,
        generic_address_space: true,
        work_group_collectives: true,
        non_uniform_groups: true,
        max_global_variable: if said.keeps_variables { (memory / 4).min(64 << 20) } else { 0 },
        timer_resolution_ns: muxcl_os::resolution_ns(),
        max_parameter_bytes: 4096,
    })
}

/// Device features by LLVM's names, checked before a program binary is loaded. Code generation uses
/// the HAL's own target description.
fn target_features(hal: &HalInfo) -> String {
    let singles = [
        ("m", Extensions::M),
        ("a", Extensions::A),
        ("f", Extensions::F),
        ("d", Extensions::D),
        ("c", Extensions::C),
        ("v", Extensions::V),
        ("zba", Extensions::ZBA),
        ("zbb", Extensions::ZBB),
        ("zbc", Extensions::ZBC),
        ("zbs", Extensions::ZBS),
        ("zfh", Extensions::ZFH),
        ("zvfh", Extensions::ZVFH),
    ];
    let mut names: Vec<String> = singles
        .iter()
        .filter(|(_, e)| hal.extensions.contains(*e))
        .map(|(name, _)| format!("+{name}"))
        .collect();
    if hal.extensions.contains(Extensions::V) {
        // A longer vector register runs code compiled for a shorter one.
        let lengths =
            std::iter::successors(Some(32u32), |n| n.checked_mul(2)).take_while(|n| *n <= hal.vlen);
        names.extend(lengths.map(|n| format!("+zvl{n}b")));
    }
    // muxcl's own features: hardware besides instructions that generated code may use.
    if let Some(address) = hal.properties.dma {
        names.push(format!("+muxcl-dma-{address:x}"));
    }
    names.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;
    use muxcl_hal::Properties;
    use muxcl_hal::target::Abi;

    fn device(isa: &str) -> HalInfo {
        let target: Target = isa.parse().unwrap();
        HalInfo {
            target_name: "Some Chip".into(),
            word_size: target.xlen,
            global_memory: 1 << 28,
            local_memory: 4 << 20,
            should_link: true,
            linker_script: None,
            should_vectorize: true,
            preferred_vector_width: 128,
            fp16: false,
            fp64: true,
            max_workgroup_size: 1024,
            little_endian: true,
            counters: Vec::new(),
            extensions: target.extensions,
            abi: Abi::Lp64D,
            vlen: 256,
            properties: Properties { keeps_variables: true, ..Properties::riscv() },
        }
    }

    #[test]
    fn a_device_is_what_the_host_is_less_what_it_lacks() {
        let full = translate("acme", &device("RV64GCV_Zba")).unwrap();
        assert_eq!(full.name, "Some Chip (acme)");
        assert_eq!(full.desc.id, "riscv64");
        assert!(full.desc.extensions.iter().any(|e| e == "cl_khr_fp64"));
        assert!(!full.desc.extensions.iter().any(|e| e == "cl_khr_fp16") && !full.half.supported());
        assert!(
            full.desc.features.contains("+zvl256b") && !full.desc.features.contains("+zvl512b")
        );
        assert!(full.atomics.int64 && !full.host_unified_memory && full.local_memory == MOST_LOCAL);
        let small = translate("x", &HalInfo { fp64: false, vlen: 0, ..device("RV32IM") }).unwrap();
        assert_eq!(
            (small.desc.id.as_str(), small.address_bits, small.vector_bytes),
            ("riscv32", 32, 4)
        );
        assert!(!small.double.supported() && !small.atomics.int32 && small.single.soft);
        assert_eq!(
            small.desc.extensions,
            [ALWAYS, SUB_GROUP_EXTENSIONS, IMAGE_EXTENSIONS, IL_EXTENSIONS].concat()
        );
    }

    /// R9: DMA engine, clock, shared addresses and compute units were known for one device name
    /// only.
    #[test]
    fn properties_of_any_device_are_heeded() {
        let has = |list: &[String], name: &str| list.iter().any(|n| n == name);
        let none = HalInfo { properties: Properties::riscv(), ..device("RV64GC") };
        let none = translate("x", &none).unwrap();
        assert_eq!((none.compute_units, none.clock_mhz, none.coarse_svm), (1, 0, false));
        assert!(!has(&none.desc.extensions, "cl_khr_kernel_clock"));
        assert!(!has(&none.desc.extensions, "cl_intel_unified_shared_memory"));
        assert!(!has(&none.desc.c_features, PROGRAM_VARIABLES));
        assert!(none.max_global_variable == 0 && none.device_queues.is_none());
        let properties = Properties {
            compute_units: Some(12),
            clock_mhz: Some(800),
            timer: true,
            shared_addresses: true,
            dma: Some(0x7000_0000),
            keeps_variables: true,
            ..Properties::riscv()
        };
        let all =
            HalInfo { properties, should_link: false, should_vectorize: false, ..device("RV64GC") };
        let all = translate("x", &all).unwrap();
        assert_eq!((all.compute_units, all.clock_mhz, all.coarse_svm), (12, 800, true));
        assert!(has(&all.desc.extensions, "cl_khr_kernel_clock"));
        assert!(has(&all.desc.extensions, "cl_intel_unified_shared_memory"));
        assert!(has(&all.desc.c_features, PROGRAM_VARIABLES));
        assert!(all.max_global_variable != 0 && all.device_queues.is_some());
        assert!(all.desc.features.ends_with("+muxcl-dma-70000000"));
        let hal = all.desc.hal.unwrap();
        assert_eq!((hal.dma, hal.relocatable, hal.scalar), (Some(0x7000_0000), true, true));
    }

    #[test]
    fn nonsense_is_no_device() {
        for nonsense in [
            HalInfo { word_size: 48, ..device("RV64G") },
            HalInfo { global_memory: 0, ..device("RV64G") },
            HalInfo { max_workgroup_size: 0, ..device("RV64G") },
        ] {
            assert!(matches!(translate("x", &nonsense), Err(MuxError::DeviceFault(_))));
        }
    }
}
