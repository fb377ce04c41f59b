//! The table of capabilities, extensions and extended instruction sets that modules may require,
//! with the device's extension or feature that each needs.
//!
//! The queries of `cl_khr_spirv_queries` are answered from this table, and a module is checked
//! against it before it is translated. A device is described by the names of its OpenCL extensions
//! (`cl_khr_fp64`) and OpenCL C features (`__opencl_c_images`).

use crate::ModuleInfo;
use spirv::Capability as C;
use std::ffi::CStr;

/// The supported versions of SPIR-V, the same for every device.
pub const VERSIONS: &[(u8, u8)] = &[(1, 0), (1, 1), (1, 2), (1, 3), (1, 4), (1, 5), (1, 6)];

/// A capability, and the extensions or features that it requires of a device.
#[derive(Debug, Clone, Copy)]
pub struct Capability {
    /// The capability's number.
    pub number: C,
    /// The device has at least one of these extensions or features. Empty: every device supports
    /// the capability.
    pub needs: &'static [&'static str],
}

/// An extension or an extended instruction set, and its requirements.
#[derive(Debug, Clone, Copy)]
pub struct Named {
    /// The name in `OpExtension` or `OpExtInstImport`.
    pub name: &'static CStr,
    /// As [`Capability::needs`].
    pub needs: &'static [&'static str],
}

const fn capability(number: C, needs: &'static [&'static str]) -> Capability {
    Capability { number, needs }
}

const fn named(name: &'static CStr, needs: &'static [&'static str]) -> Named {
    Named { name, needs }
}

const IMAGES: &[&str] = &["__opencl_c_images"];
const DOT: &[&str] = &["cl_khr_integer_dot_product"];
/// Each of these extensions has capabilities that imply `GroupNonUniform`.
const NON_UNIFORM: &[&str] = &[
    "cl_khr_subgroup_non_uniform_vote",
    "cl_khr_subgroup_ballot",
    "cl_khr_subgroup_non_uniform_arithmetic",
    "cl_khr_subgroup_shuffle",
    "cl_khr_subgroup_shuffle_relative",
    "cl_khr_subgroup_clustered_reduce",
    "cl_khr_subgroup_rotate",
];
const HALF_ADD: &[&str] =
    &["__opencl_c_ext_fp16_global_atomic_add", "__opencl_c_ext_fp16_local_atomic_add"];
const FLOAT_ADD: &[&str] =
    &["__opencl_c_ext_fp32_global_atomic_add", "__opencl_c_ext_fp32_local_atomic_add"];
const DOUBLE_ADD: &[&str] =
    &["__opencl_c_ext_fp64_global_atomic_add", "__opencl_c_ext_fp64_local_atomic_add"];
const HALF_MIN: &[&str] =
    &["__opencl_c_ext_fp16_global_atomic_min_max", "__opencl_c_ext_fp16_local_atomic_min_max"];
const FLOAT_MIN: &[&str] =
    &["__opencl_c_ext_fp32_global_atomic_min_max", "__opencl_c_ext_fp32_local_atomic_min_max"];
const DOUBLE_MIN: &[&str] =
    &["__opencl_c_ext_fp64_global_atomic_min_max", "__opencl_c_ext_fp64_local_atomic_min_max"];

/// The capabilities, sorted by number.
pub const CAPABILITIES: &[Capability] = &[
    capability(C::Addresses, &[]),
    capability(C::Linkage, &[]),
    capability(C::Kernel, &[]),
    capability(C::Vector16, &[]),
    capability(C::Float16Buffer, &[]),
    capability(C::Float16, &["cl_khr_fp16"]),
    capability(C::Float64, &["cl_khr_fp64"]),
    capability(C::Int64, &["__opencl_c_int64"]),
    capability(C::Int64Atomics, &["cl_khr_int64_base_atomics", "cl_khr_int64_extended_atomics"]),
    capability(C::ImageBasic, IMAGES),
    capability(C::ImageReadWrite, &["__opencl_c_read_write_images"]),
    capability(C::ImageMipmap, &["cl_khr_mipmap_image"]),
    capability(C::Pipes, &["__opencl_c_pipes"]),
    capability(C::Groups, &["__opencl_c_work_group_collective_functions", "__opencl_c_subgroups"]),
    capability(C::DeviceEnqueue, &["__opencl_c_device_enqueue"]),
    capability(C::LiteralSampler, IMAGES),
    capability(C::Int16, &[]),
    capability(C::GenericPointer, &["__opencl_c_generic_address_space"]),
    capability(C::Int8, &[]),
    capability(C::Sampled1D, IMAGES),
    capability(C::Image1D, IMAGES),
    capability(C::SampledBuffer, IMAGES),
    capability(C::ImageBuffer, IMAGES),
    capability(C::SubgroupDispatch, &["__opencl_c_subgroups"]),
    capability(C::NamedBarrier, &["cl_khr_subgroup_named_barrier"]),
    capability(C::PipeStorage, &["__opencl_c_pipes"]),
    capability(C::GroupNonUniform, NON_UNIFORM),
    capability(C::GroupNonUniformVote, &["cl_khr_subgroup_non_uniform_vote"]),
    capability(C::GroupNonUniformArithmetic, &["cl_khr_subgroup_non_uniform_arithmetic"]),
    capability(C::GroupNonUniformBallot, &["cl_khr_subgroup_ballot"]),
    capability(C::GroupNonUniformShuffle, &["cl_khr_subgroup_shuffle"]),
    capability(C::GroupNonUniformShuffleRelative, &["cl_khr_subgroup_shuffle_relative"]),
    capability(C::GroupNonUniformClustered, &["cl_khr_subgroup_clustered_reduce"]),
    capability(C::UniformDecoration, &[]),
    capability(C::DenormPreserve, &[]),
    capability(C::SignedZeroInfNanPreserve, &[]),
    capability(C::RoundingModeRTE, &[]),
    capability(C::UntypedPointersKHR, &[]),
    capability(C::ShaderClockKHR, &["cl_khr_kernel_clock"]),
    capability(C::SubgroupShuffleINTEL, &["__opencl_c_subgroups"]),
    capability(C::SubgroupBufferBlockIOINTEL, &["__opencl_c_subgroups"]),
    capability(C::SubgroupImageBlockIOINTEL, IMAGES),
    capability(C::AtomicFloat32MinMaxEXT, FLOAT_MIN),
    capability(C::AtomicFloat64MinMaxEXT, DOUBLE_MIN),
    capability(C::AtomicFloat16MinMaxEXT, HALF_MIN),
    capability(C::ExpectAssumeKHR, &["cl_khr_expect_assume"]),
    capability(C::FPFastMathModeINTEL, &[]),
    capability(C::MemoryAccessAliasingINTEL, &[]),
    capability(C::DotProductInput4x8Bit, DOT),
    capability(C::DotProductInput4x8BitPacked, DOT),
    capability(C::DotProduct, DOT),
    capability(C::BitInstructions, &["cl_khr_extended_bit_ops"]),
    capability(C::GroupNonUniformRotateKHR, &["cl_khr_subgroup_rotate"]),
    capability(C::AtomicFloat32AddEXT, FLOAT_ADD),
    capability(C::AtomicFloat64AddEXT, DOUBLE_ADD),
    capability(C::OptNoneEXT, &[]),
    capability(C::AtomicFloat16AddEXT, HALF_ADD),
    capability(C::GroupUniformArithmeticKHR, &["cl_khr_work_group_uniform_arithmetic"]),
];

/// The extensions of SPIR-V.
pub const EXTENSIONS: &[Named] = &[
    named(c"SPV_KHR_no_integer_wrap_decoration", &["cl_khr_spirv_no_integer_wrap_decoration"]),
    named(c"SPV_KHR_linkonce_odr", &["cl_khr_spirv_linkonce_odr"]),
    named(c"SPV_KHR_expect_assume", &["cl_khr_expect_assume"]),
    named(c"SPV_KHR_bit_instructions", &["cl_khr_extended_bit_ops"]),
    named(c"SPV_KHR_integer_dot_product", DOT),
    named(c"SPV_KHR_shader_clock", &["cl_khr_kernel_clock"]),
    named(c"SPV_KHR_uniform_group_instructions", &["cl_khr_work_group_uniform_arithmetic"]),
    named(c"SPV_KHR_subgroup_rotate", &["cl_khr_subgroup_rotate"]),
    named(c"SPV_KHR_untyped_pointers", &[]),
    named(c"SPV_KHR_non_semantic_info", &[]),
    named(c"SPV_KHR_float_controls", &[]),
    named(c"SPV_EXT_relaxed_printf_string_address_space", &[]),
    named(c"SPV_EXT_shader_atomic_float_add", &["cl_ext_float_atomics"]),
    named(c"SPV_EXT_shader_atomic_float16_add", HALF_ADD),
    named(c"SPV_EXT_shader_atomic_float_min_max", &["cl_ext_float_atomics"]),
    named(c"SPV_EXT_optnone", &[]),
    named(c"SPV_INTEL_optnone", &[]),
    named(c"SPV_INTEL_fp_fast_math_mode", &[]),
    named(c"SPV_INTEL_memory_access_aliasing", &[]),
    named(c"SPV_INTEL_subgroups", &["__opencl_c_subgroups"]),
];

/// The extended instruction sets. Every device also supports the sets whose names begin with
/// [`NON_SEMANTIC`], because they have no effect.
pub const EXTENDED_INSTRUCTION_SETS: &[Named] = &[
    named(c"OpenCL.std", &[]),
    named(c"OpenCL.DebugInfo.100", &["cl_khr_spirv_extended_debug_info"]),
];

/// The prefix of instruction sets without semantics (`SPV_KHR_non_semantic_info`).
pub const NON_SEMANTIC: &str = "NonSemantic.";

/// True if some device of this driver supports this extension of SPIR-V.
#[must_use]
pub fn is_extension_known(name: &str) -> bool {
    EXTENSIONS.iter().any(|e| e.name.to_bytes() == name.as_bytes())
}

fn met(needs: &[&str], has: &impl Fn(&str) -> bool) -> bool {
    needs.is_empty() || needs.iter().any(|name| has(name))
}

/// The numbers of the capabilities that a device supports. `has` says whether the device has an
/// extension or feature.
pub fn capabilities(has: impl Fn(&str) -> bool) -> Vec<u32> {
    CAPABILITIES.iter().filter(|c| met(c.needs, &has)).map(|c| c.number as u32).collect()
}

/// The names in `table` that a device supports. `has` is as for [`capabilities`].
pub fn names(table: &[Named], has: impl Fn(&str) -> bool) -> Vec<&'static CStr> {
    table.iter().filter(|n| met(n.needs, &has)).map(|n| n.name).collect()
}

/// Checks that a device supports a module. `address_bits` is the width of the device's addresses,
/// `has` is as for [`capabilities`].
///
/// # Errors
/// A sentence for each capability, extension or instruction set that the device lacks, and for
/// another addressing model.
pub fn check(
    info: &ModuleInfo,
    address_bits: u32,
    has: impl Fn(&str) -> bool,
) -> Result<(), Vec<String>> {
    let mut missing = Vec::new();
    let mut miss = |what: String, row: Option<&'static [&'static str]>| match row {
        Some(needs) if met(needs, &has) => {}
        Some(needs) => missing
            .push(format!("the module needs {what}: the device lacks {}", needs.join(" and "))),
        None => {
            missing.push(format!("the module needs {what}, which no device of this driver has"))
        }
    };
    for &number in &info.capabilities {
        let row = CAPABILITIES.iter().find(|c| c.number as u32 == number).map(|c| c.needs);
        let name = C::from_u32(number).map_or_else(|| number.to_string(), |c| format!("{c:?}"));
        miss(format!("the capability {name}"), row);
    }
    let row = |table: &'static [Named], name: &str| {
        table.iter().find(|n| n.name.to_bytes() == name.as_bytes())
    };
    for name in &info.extensions {
        miss(format!("the extension {name}"), row(EXTENSIONS, name).map(|n| n.needs));
    }
    for name in info.imports.iter().filter(|name| !name.starts_with(NON_SEMANTIC)) {
        miss(
            format!("the instruction set {name}"),
            row(EXTENDED_INSTRUCTION_SETS, name).map(|n| n.needs),
        );
    }
    if info.address_bits != address_bits {
        let text = match info.address_bits {
            0 => "the module's addresses are logical, and OpenCL's are physical".to_owned(),
            bits => {
                format!("the module's addresses have {bits} bits, the device's have {address_bits}")
            }
        };
        missing.push(text);
    }
    if missing.is_empty() { Ok(()) } else { Err(missing) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn info() -> ModuleInfo {
        ModuleInfo {
            version: (1, 2),
            capabilities: vec![C::Addresses as u32, C::Kernel as u32],
            extensions: Vec::new(),
            imports: vec!["OpenCL.std".into(), "NonSemantic.Shader.DebugInfo.100".into()],
            kernels: Vec::new(),
            constants: Vec::new(),
            address_bits: 64,
        }
    }

    #[test]
    fn rows_are_sorted_and_there_once() {
        assert!(CAPABILITIES.windows(2).all(|two| (two[0].number as u32) < two[1].number as u32));
        for table in [EXTENSIONS, EXTENDED_INSTRUCTION_SETS] {
            for (i, row) in table.iter().enumerate() {
                assert!(table[..i].iter().all(|other| other.name != row.name), "{:?}", row.name);
            }
        }
    }

    #[test]
    fn a_device_without_anything_takes_kernels() {
        assert_eq!(check(&info(), 64, |_| false), Ok(()));
        assert!(capabilities(|_| false).contains(&(C::Kernel as u32)));
        assert!(!capabilities(|_| false).contains(&(C::Float64 as u32)));
        assert!(capabilities(|name| name == "cl_khr_fp64").contains(&(C::Float64 as u32)));
        assert_eq!(names(EXTENDED_INSTRUCTION_SETS, |_| false), [c"OpenCL.std"]);
    }

    #[test]
    fn each_thing_that_is_missing_has_a_sentence() {
        let mut asks = info();
        asks.capabilities.extend([C::Float64 as u32, C::Shader as u32, 65_000]);
        asks.extensions.push("SPV_KHR_bit_instructions".into());
        asks.extensions.push("SPV_NV_nothing".into());
        asks.imports.push("GLSL.std.450".into());
        let sentences = check(&asks, 32, |_| false).unwrap_err();
        let parts = [
            "Float64: the device lacks cl_khr_fp64",
            "Shader, which",
            "65000, which",
            "cl_khr_extended_bit_ops",
        ];
        let parts =
            [&parts[..], &["SPV_NV_nothing", "GLSL.std.450", "have 64 bits, the device's have 32"]]
                .concat();
        assert_eq!(sentences.len(), parts.len(), "{sentences:?}");
        for (sentence, part) in sentences.iter().zip(parts) {
            assert!(sentence.contains(part), "{sentence}");
        }
        asks.address_bits = 0;
        assert!(check(&asks, 64, |_| true).unwrap_err().last().unwrap().contains("logical"));
    }
}
