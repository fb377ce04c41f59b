//! A small SPIR-V assembler for tests whose modules no available compiler produces.
//!
//! Not here: the tests.

use anyhow::Result;
use muxcl_client::sys::CL_DEVICE_ADDRESS_BITS;
use muxcl_client::{Context, Device};

/// The opcodes of core SPIR-V that the tests use.
pub(crate) mod op {
    pub(crate) const EXTENSION: u32 = 10;
    pub(crate) const MEMORY_MODEL: u32 = 14;
    pub(crate) const ENTRY_POINT: u32 = 15;
    pub(crate) const CAPABILITY: u32 = 17;
    pub(crate) const TYPE_VOID: u32 = 19;
    pub(crate) const TYPE_INT: u32 = 21;
    pub(crate) const TYPE_FLOAT: u32 = 22;
    pub(crate) const TYPE_VECTOR: u32 = 23;
    pub(crate) const TYPE_POINTER: u32 = 32;
    pub(crate) const TYPE_FUNCTION: u32 = 33;
    pub(crate) const CONSTANT: u32 = 43;
    pub(crate) const FUNCTION: u32 = 54;
    pub(crate) const FUNCTION_PARAMETER: u32 = 55;
    pub(crate) const FUNCTION_END: u32 = 56;
    pub(crate) const VARIABLE: u32 = 59;
    pub(crate) const LOAD: u32 = 61;
    pub(crate) const STORE: u32 = 62;
    pub(crate) const PTR_ACCESS_CHAIN: u32 = 67;
    pub(crate) const DECORATE: u32 = 71;
    pub(crate) const COMPOSITE_EXTRACT: u32 = 81;
    pub(super) const COPY_OBJECT: u32 = 83;
    pub(crate) const U_CONVERT: u32 = 113;
    pub(crate) const CONVERT_U_TO_F: u32 = 112;
    pub(crate) const CONVERT_F_TO_U: u32 = 109;
    pub(crate) const I_ADD: u32 = 128;
    pub(crate) const F_ADD: u32 = 129;
    pub(crate) const I_SUB: u32 = 130;
    pub(crate) const I_MUL: u32 = 132;
    pub(crate) const LABEL: u32 = 248;
    pub(crate) const RETURN: u32 = 253;
}

/// Ids that every module declares.
pub(crate) mod id {
    pub(crate) const VOID: u32 = 1;
    pub(crate) const UINT: u32 = 2;
    /// `size_t`; equal to [`UINT`] if addresses have 32 bits.
    pub(crate) const SIZE_64: u32 = 3;
    pub(crate) const KERNEL: u32 = 4;
    pub(crate) const KERNEL_TYPE: u32 = 5;
    /// `global uint *`
    pub(crate) const POINTER: u32 = 6;
    pub(crate) const OUT: u32 = 7;
    pub(crate) const IN: u32 = 8;
    pub(crate) const SIZES: u32 = 9;
    pub(crate) const SIZES_POINTER: u32 = 10;
    pub(crate) const GLOBAL_ID: u32 = 11;
    const LABEL: u32 = 12;
    const IDS: u32 = 13;
    /// The work-item's global id, as `size_t` and as `uint`.
    pub(crate) const ITEM: u32 = 14;
    pub(crate) const ITEM_32: u32 = 15;
    /// The address of the work-item's element of `in`.
    pub(crate) const IN_ITEM: u32 = 16;
    /// The address of the work-item's element of `out`.
    pub(crate) const OUT_ITEM: u32 = 17;
    /// The first id that a test may use.
    pub(crate) const FREE: u32 = 20;
    pub(super) const PROLOGUE: [u32; 2] = [LABEL, IDS];
}

/// Storage classes.
pub(crate) const INPUT: u32 = 1;
pub(crate) const CROSS_WORKGROUP: u32 = 5;

/// The words of a module.
pub(crate) struct Words(Vec<u32>);

impl Words {
    /// Appends an instruction.
    pub(crate) fn op(&mut self, op: u32, operands: &[u32]) -> &mut Self {
        let count = u32::try_from(operands.len() + 1).unwrap_or(u32::MAX);
        self.0.push(count << 16 | op);
        self.0.extend(operands);
        self
    }

    fn bytes(&self) -> Vec<u8> {
        self.0.iter().flat_map(|word| word.to_le_bytes()).collect()
    }
}

/// The parts of a module that differ between tests.
pub(crate) struct Parts<'a> {
    pub(crate) capabilities: &'a [u32],
    pub(crate) extension: &'a str,
    /// The storage class of the variable `GlobalInvocationId`.
    pub(crate) builtin_class: u32,
    /// `FunctionControl` of the kernel.
    pub(crate) control: u32,
    pub(crate) annotations: &'a dyn Fn(&mut Words),
    pub(crate) declarations: &'a dyn Fn(&mut Words),
    /// The rest of the kernel, up to its `OpReturn`.
    pub(crate) body: &'a dyn Fn(&mut Words),
}

/// A module with `kernel void k(global uint *out, global uint *in)`.
pub(crate) fn module(device: Device, parts: &Parts<'_>) -> Result<Vec<u8>> {
    let is_64 = device.number(CL_DEVICE_ADDRESS_BITS)? == 64;
    let size = if is_64 { id::SIZE_64 } else { id::UINT };
    let mut words = Words(vec![0x0723_0203, 0x0001_0200, 0, 200, 0]);
    // Addresses, Kernel, Int64
    for &capability in [4, 6, 11].iter().chain(parts.capabilities) {
        words.op(op::CAPABILITY, &[capability]);
    }
    if !parts.extension.is_empty() {
        words.op(op::EXTENSION, &text(parts.extension));
    }
    words.op(op::MEMORY_MODEL, &[if is_64 { 2 } else { 1 }, 2]);
    words.op(op::ENTRY_POINT, &[&[6, id::KERNEL], text("k").as_slice(), &[id::GLOBAL_ID]].concat());
    words.op(op::DECORATE, &[id::GLOBAL_ID, 11, 28]);
    (parts.annotations)(&mut words);
    words
        .op(op::TYPE_VOID, &[id::VOID])
        .op(op::TYPE_INT, &[id::UINT, 32, 0])
        .op(op::TYPE_INT, &[id::SIZE_64, 64, 0])
        .op(op::TYPE_VECTOR, &[id::SIZES, size, 3])
        .op(op::TYPE_POINTER, &[id::SIZES_POINTER, parts.builtin_class, id::SIZES])
        .op(op::TYPE_POINTER, &[id::POINTER, CROSS_WORKGROUP, id::UINT])
        .op(op::TYPE_FUNCTION, &[id::KERNEL_TYPE, id::VOID, id::POINTER, id::POINTER])
        .op(op::VARIABLE, &[id::SIZES_POINTER, id::GLOBAL_ID, parts.builtin_class]);
    (parts.declarations)(&mut words);
    let [label, ids] = id::PROLOGUE;
    words
        .op(op::FUNCTION, &[id::VOID, id::KERNEL, parts.control, id::KERNEL_TYPE])
        .op(op::FUNCTION_PARAMETER, &[id::POINTER, id::OUT])
        .op(op::FUNCTION_PARAMETER, &[id::POINTER, id::IN])
        .op(op::LABEL, &[label])
        .op(op::LOAD, &[id::SIZES, ids, id::GLOBAL_ID])
        .op(op::COMPOSITE_EXTRACT, &[size, id::ITEM, ids, 0])
        .op(if is_64 { op::U_CONVERT } else { op::COPY_OBJECT }, &[id::UINT, id::ITEM_32, id::ITEM])
        .op(op::PTR_ACCESS_CHAIN, &[id::POINTER, id::IN_ITEM, id::IN, id::ITEM])
        .op(op::PTR_ACCESS_CHAIN, &[id::POINTER, id::OUT_ITEM, id::OUT, id::ITEM]);
    (parts.body)(&mut words);
    words.op(op::RETURN, &[]).op(op::FUNCTION_END, &[]);
    Ok(words.bytes())
}

/// Runs the module's kernel with a work-item for each element of `input`; returns `out`, which has
/// the same size.
pub(crate) fn run(device: Device, parts: &Parts<'_>, input: &[u32]) -> Result<Vec<u32>> {
    let context = Context::new(device)?;
    let program = context.build_il(device, &module(device, parts)?, "")?;
    let queue = context.queue(device, 0)?;
    let mut out = vec![0_u32; input.len()];
    let (to, from) = (context.buffer_with(&out)?, context.buffer_with(input)?);
    let mut kernel = program.kernel("k")?;
    kernel.set_buffer(0, &to)?;
    kernel.set_buffer(1, &from)?;
    queue.run(&kernel, &[input.len()], None, None)?;
    queue.read(&to, &mut out)?;
    Ok(out)
}

fn text(text: &str) -> Vec<u32> {
    let mut bytes = text.as_bytes().to_vec();
    bytes.resize((bytes.len() / 4 + 1) * 4, 0);
    bytes.as_chunks::<4>().0.iter().map(|four| u32::from_le_bytes(*four)).collect()
}
