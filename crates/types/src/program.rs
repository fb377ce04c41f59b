//! Metadata of programs and kernels. The compiler collects it; the API's queries return it.

use serde::{Deserialize, Serialize};

/// Kind of a kernel argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum ArgKind {
    /// Passed by value: scalar, vector, structure.
    #[default]
    Value,
    /// Pointer to global memory.
    GlobalPointer,
    /// Pointer to constant memory.
    ConstantPointer,
    /// Pointer to local memory, whose size the application sets.
    LocalPointer,
    /// Any image type.
    Image,
    /// `sampler_t`.
    Sampler,
    /// Another pointer-sized handle (queue).
    Opaque,
    /// A pipe: a pointer to its memory.
    Pipe,
}

/// The address space of a pointer argument: `CL_KERNEL_ARG_ADDRESS_*` (OpenCL API, section 5.9.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum AddressQualifier {
    /// `__global`
    Global,
    /// `__local`
    Local,
    /// `__constant`
    Constant,
    /// None, or `__private`.
    #[default]
    Private,
}

/// The access to an image or pipe argument: `CL_KERNEL_ARG_ACCESS_*` (OpenCL API, section 5.9.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum AccessQualifier {
    /// `read_only`
    ReadOnly,
    /// `write_only`
    WriteOnly,
    /// `read_write`
    ReadWrite,
    /// Not an image or pipe.
    #[default]
    None,
}

/// One kernel argument.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ArgInfo {
    /// Kind of the argument.
    pub kind: ArgKind,
    /// Size in bytes of the value (for `Value`: `sizeof` the type in OpenCL C; for pointers the
    /// pointer size).
    pub size: u32,
    /// Alignment in bytes of the value, or of the memory that a local pointer points to.
    pub align: u32,
    /// Address space qualifier (`CL_KERNEL_ARG_ADDRESS_QUALIFIER`).
    pub address: AddressQualifier,
    /// Access qualifier (`CL_KERNEL_ARG_ACCESS_QUALIFIER`).
    pub access: AccessQualifier,
    /// `CL_KERNEL_ARG_TYPE_*` bits: const 1, restrict 2, volatile 4, pipe 8.
    pub type_qualifiers: u32,
    /// Type name as written, e.g. `float4*`.
    pub type_name: String,
    /// Name in the source (`CL_KERNEL_ARG_NAME`).
    pub name: String,
}

impl ArgInfo {
    /// True if the kernel cannot write to the memory it gets as this argument.
    #[must_use]
    pub fn only_reads(&self) -> bool {
        const CONST: u32 = 1;
        match self.kind {
            ArgKind::Image => self.access == AccessQualifier::ReadOnly,
            kind => kind == ArgKind::ConstantPointer || self.type_qualifiers & CONST != 0,
        }
    }
}

/// One kernel of a program.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct KernelInfo {
    /// Name in the source.
    pub name: String,
    /// Arguments, in the order of the source.
    pub args: Vec<ArgInfo>,
    /// True if the program keeps argument metadata for `clGetKernelArgInfo`.
    pub has_arg_info: bool,
    /// `reqd_work_group_size`, or zeros.
    pub reqd_work_group_size: [u32; 3],
    /// `work_group_size_hint`, or zeros.
    pub work_group_size_hint: [u32; 3],
    /// `intel_reqd_sub_group_size`, or 0.
    pub reqd_sub_group_size: u32,
    /// The number of sub-groups that a work-group must have (`SubgroupsPerWorkgroup` in SPIR-V), or
    /// 0.
    pub reqd_sub_groups: u32,
    /// `vec_type_hint` as a type name, or empty.
    pub vec_type_hint: String,
    /// The `__attribute__` strings as `CL_KERNEL_ATTRIBUTES` shows them, separated by blanks.
    pub attributes: String,
    /// Bytes of static local memory.
    pub local_bytes: u64,
    /// Estimate of private memory per work-item in bytes.
    pub private_bytes: u64,
    /// True if the kernel has a work-group or sub-group barrier.
    pub has_barrier: bool,
    /// False if the results cannot depend on the local size: the kernel asks for global ids and
    /// sizes only, and has no barrier, group or sub-group function, and no local memory.
    pub sees_groups: bool,
    /// True if a launch may run several groups as one. The kernel may see its groups, but its
    /// work-items do not work together, and no address and no branch depends on how they form
    /// groups.
    pub joins_groups: bool,
    /// True if the kernel mostly computes with 16-bit floating-point numbers. Then twice as many
    /// work-items fill the same vector registers.
    pub computes_halves: bool,
    /// The dimension (0 to 2) along which neighbours access neighbouring memory, by the compiler's
    /// estimate. Groups should be long in this dimension and run in its order.
    pub along: u8,
    /// Another dimension (0 to 2) in which some accesses are consecutive that are not so along
    /// `along`, such as the stores of a transposition; equal to `along` if there is none. Groups
    /// should have several work-items in both.
    pub across: u8,
    /// True if the kernel may call printf.
    pub uses_printf: bool,
    /// True if the kernel may enqueue kernels, or use the events of enqueued kernels.
    pub enqueues: bool,
    /// True if the kernel checks its accesses. The last of its arguments, which the application
    /// does not see, is then the address of a [`crate::check::State`].
    pub checked: bool,
}

/// Metadata of a finalised program for the runtime.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ProgramInfo {
    /// Kernels in source order, and the kernel that runs the constructors.
    pub kernels: Vec<KernelInfo>,
    /// True if the last of the kernels runs the constructors of program-scope objects (C++ for
    /// OpenCL). The application does not see it; the runtime runs it with one work-item before any
    /// other kernel of the program.
    pub has_constructors: bool,
    /// Blocks that kernels enqueue, as kernels that the application does not see. Their first
    /// argument is the address of the block literal.
    pub blocks: Vec<KernelInfo>,
    /// Bytes of program-scope variables in global memory
    /// (`CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE`).
    pub global_variable_bytes: u64,
    /// The places that checked kernels report, by the numbers in their reports.
    pub sites: Vec<crate::check::Site>,
    /// Format strings of the `printf` records.
    pub printf: crate::printf::Table,
    /// True with `-cl-opt-disable`, at compilation or at the link.
    pub opt_disable: bool,
    /// True if denormals may be flushed (`-cl-denorms-are-zero`).
    pub denorms_are_zero: bool,
    /// True if the global size must be a multiple of the local size (`-cl-uniform-work-group-size`,
    /// or OpenCL C below 2.0).
    pub uniform_work_groups: bool,
    /// Context requirements that the code meets.
    pub requirements: crate::device::ContextRequirements,
}

impl KernelInfo {
    /// The arguments that the application sets.
    #[must_use]
    pub fn visible_args(&self) -> &[ArgInfo] {
        match self.args.split_last() {
            Some((_, rest)) if self.checked => rest,
            _ => &self.args,
        }
    }

    /// Work-items of a full sub-group.
    #[must_use]
    pub fn sub_group_size(&self) -> u32 {
        match self.reqd_sub_group_size {
            0 => crate::sub_group::DEFAULT,
            size => size,
        }
    }
}

impl ProgramInfo {
    /// All kernels except the one that runs the constructors.
    #[must_use]
    pub fn visible_kernels(&self) -> &[KernelInfo] {
        match self.kernels.split_last() {
            Some((_, rest)) if self.has_constructors => rest,
            _ => &self.kernels,
        }
    }

    /// The kernel named `name`.
    #[must_use]
    pub fn kernel(&self, name: &str) -> Option<&KernelInfo> {
        self.kernels.iter().find(|k| k.name == name)
    }
}
