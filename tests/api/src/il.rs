//! Builds SPIR-V modules word by word.

use muxcl_spirv::numbers::Op;

/// Ids of the modules below.
mod id {
    pub(super) const VOID: u32 = 1;
    pub(super) const BOOL: u32 = 2;
    pub(super) const UINT: u32 = 3;
    pub(super) const ULONG: u32 = 4;
    pub(super) const TRIPLE: u32 = 5;
    pub(super) const TRIPLE_POINTER: u32 = 6;
    pub(super) const POINTER: u32 = 7;
    pub(super) const KERNEL_TYPE: u32 = 8;
    pub(super) const FUNCTION_TYPE: u32 = 9;
    pub(super) const PLACE: u32 = 10;
    pub(super) const FACTOR: u32 = 11;
    pub(super) const ON: u32 = 12;
    pub(super) const OFFSET: u32 = 13;
    pub(super) const ZERO: u32 = 14;
    pub(super) const KERNEL: u32 = 15;
    pub(super) const FUNCTION: u32 = 16;
    /// The first section inside functions.
    pub(super) const FIRST: u32 = 20;
    pub(super) const BOUND: u32 = 60;
}

/// `SpecId` of the factor, a 32-bit unsigned integer with the default 2.
pub const FACTOR: u32 = 7;
/// `SpecId` of the switch, a boolean with the default true.
pub const ON: u32 = 9;
/// `SpecId` of the offset, a 64-bit unsigned integer with the default 5.
pub const OFFSET: u32 = 11;

const KERNEL: u32 = 6;
const ADDRESSES: u32 = 4;
const LINKAGE: u32 = 5;
const INT64: u32 = 11;
const LINKAGE_ATTRIBUTES: u32 = 41;
const CROSS_WORKGROUP: u32 = 5;

/// The words of a module.
#[derive(Debug, Clone)]
pub struct Words(Vec<u32>);

impl Words {
    /// Starts a module of version 1.`minor` with its header.
    #[must_use]
    pub fn new(minor: u32) -> Self {
        Self(vec![0x0723_0203, 0x0001_0000 | minor << 8, 0, id::BOUND, 0])
    }

    /// Appends an instruction.
    pub fn op(&mut self, op: Op, operands: &[u32]) -> &mut Self {
        let count = u32::try_from(operands.len() + 1).unwrap();
        self.0.push(count << 16 | op as u32);
        self.0.extend(operands);
        self
    }

    /// The module's bytes.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        self.0.iter().flat_map(|word| word.to_ne_bytes()).collect()
    }

    fn capabilities(&mut self, more: &[u32]) -> &mut Self {
        for capability in [&[ADDRESSES, KERNEL, LINKAGE, INT64], more].concat() {
            self.op(Op::Capability, &[capability]);
        }
        // Physical64, OpenCL
        self.op(Op::MemoryModel, &[2, 2])
    }

    fn types(&mut self) -> &mut Self {
        self.op(Op::TypeVoid, &[id::VOID])
            .op(Op::TypeBool, &[id::BOOL])
            .op(Op::TypeInt, &[id::UINT, 32, 0])
            .op(Op::TypeInt, &[id::ULONG, 64, 0])
            .op(Op::TypeVector, &[id::TRIPLE, id::ULONG, 3])
            .op(Op::TypePointer, &[id::TRIPLE_POINTER, 1, id::TRIPLE])
            .op(Op::TypePointer, &[id::POINTER, CROSS_WORKGROUP, id::UINT])
            .op(Op::TypeFunction, &[id::KERNEL_TYPE, id::VOID, id::POINTER])
            .op(Op::TypeFunction, &[id::FUNCTION_TYPE, id::UINT, id::UINT])
    }

    fn linkage(&mut self, of: u32, name: &str, how: u32) -> &mut Self {
        let operands = [&[of, LINKAGE_ATTRIBUTES], text(name).as_slice(), &[how]].concat();
        self.op(Op::Decorate, &operands)
    }

    /// Begins a kernel and its parameter. Variable `place` holds the work-item's index; the body
    /// may use `ids`.
    fn begin_kernel(&mut self, ids: &mut impl Iterator<Item = u32>) -> Item {
        let [out, label, place, wide, narrow] = [(); 5].map(|()| ids.next().unwrap());
        self.op(Op::Variable, &[id::TRIPLE_POINTER, id::PLACE, 1])
            .op(Op::Function, &[id::VOID, id::KERNEL, 0, id::KERNEL_TYPE])
            .op(Op::FunctionParameter, &[id::POINTER, out])
            .op(Op::Label, &[label])
            .op(Op::Load, &[id::TRIPLE, place, id::PLACE, 2, 32])
            .op(Op::CompositeExtract, &[id::ULONG, wide, place, 0])
            .op(Op::UConvert, &[id::UINT, narrow, wide]);
        Item { out, wide, narrow }
    }

    /// Stores a value at the work-item's index, and ends the kernel.
    fn end_kernel(
        &mut self,
        item: &Item,
        value: u32,
        ids: &mut impl Iterator<Item = u32>,
    ) -> &mut Self {
        let at = ids.next().unwrap();
        self.op(Op::InBoundsPtrAccessChain, &[id::POINTER, at, item.out, item.wide])
            .op(Op::Store, &[at, value, 2, 4])
            .op(Op::Return, &[])
            .op(Op::FunctionEnd, &[])
    }

    fn entry(&mut self, name: &str) -> &mut Self {
        let operands = [&[KERNEL, id::KERNEL], text(name).as_slice(), &[id::PLACE]].concat();
        self.op(Op::EntryPoint, &operands)
    }

    fn decorate_place(&mut self) -> &mut Self {
        // BuiltIn GlobalInvocationId; Constant
        self.op(Op::Decorate, &[id::PLACE, 11, 28]).op(Op::Decorate, &[id::PLACE, 22])
    }
}

struct Item {
    out: u32,
    wide: u32,
    narrow: u32,
}

/// A string as words.
fn text(text: &str) -> Vec<u32> {
    let mut bytes = text.as_bytes().to_vec();
    bytes.resize((bytes.len() / 4 + 1) * 4, 0);
    bytes.chunks(4).map(|four| u32::from_le_bytes(four.try_into().unwrap())).collect()
}

/// `kernel void fill(global uint *out)`: `out[i] = ON ? i * FACTOR + OFFSET : 0`, with
/// specialization constants, in SPIR-V 1.`minor`.
#[must_use]
pub fn fill(minor: u32) -> Vec<u8> {
    fill_with(minor, &[])
}

/// As [`fill`], with these capabilities declared.
#[must_use]
pub fn fill_with(minor: u32, capabilities: &[u32]) -> Vec<u8> {
    let mut words = Words::new(minor);
    let mut ids = id::FIRST..id::BOUND;
    words.capabilities(capabilities).entry("fill").decorate_place();
    for (constant, number) in [(id::FACTOR, FACTOR), (id::ON, ON), (id::OFFSET, OFFSET)] {
        words.op(Op::Decorate, &[constant, 1, number]);
    }
    words
        .types()
        .op(Op::SpecConstant, &[id::UINT, id::FACTOR, 2])
        .op(Op::SpecConstantTrue, &[id::BOOL, id::ON])
        .op(Op::SpecConstant, &[id::ULONG, id::OFFSET, 5, 0])
        .op(Op::Constant, &[id::UINT, id::ZERO, 0]);
    let item = words.begin_kernel(&mut ids);
    let [product, offset, sum, value] = [(); 4].map(|()| ids.next().unwrap());
    words
        .op(Op::IMul, &[id::UINT, product, item.narrow, id::FACTOR])
        .op(Op::UConvert, &[id::UINT, offset, id::OFFSET])
        .op(Op::IAdd, &[id::UINT, sum, product, offset])
        .op(Op::Select, &[id::UINT, value, id::ON, sum, id::ZERO]);
    words.end_kernel(&item, value, &mut ids);
    words.bytes()
}

/// Exports `uint scale(uint)`, which returns `FACTOR` times its argument.
#[must_use]
pub fn exporter() -> Vec<u8> {
    let mut words = Words::new(0);
    words
        .capabilities(&[])
        .linkage(id::FUNCTION, "scale", 0)
        .op(Op::Decorate, &[id::FACTOR, 1, FACTOR])
        .types();
    words.op(Op::SpecConstant, &[id::UINT, id::FACTOR, 2]);
    let [argument, label, product] = [id::FIRST, id::FIRST + 1, id::FIRST + 2];
    words
        .op(Op::Function, &[id::UINT, id::FUNCTION, 0, id::FUNCTION_TYPE])
        .op(Op::FunctionParameter, &[id::UINT, argument])
        .op(Op::Label, &[label])
        .op(Op::IMul, &[id::UINT, product, argument, id::FACTOR])
        .op(Op::ReturnValue, &[product])
        .op(Op::FunctionEnd, &[]);
    words.bytes()
}

/// Imports `uint scale(uint)` for `kernel void fill(global uint *out)`: `out[i] = scale(i)`.
#[must_use]
pub fn importer() -> Vec<u8> {
    let mut words = Words::new(0);
    words
        .capabilities(&[])
        .entry("fill")
        .decorate_place()
        .linkage(id::FUNCTION, "scale", 1)
        .types();
    // Declarations come before definitions; `begin_kernel` declares the index variable.
    let mut ids = id::FIRST..id::BOUND;
    let argument = ids.next().unwrap();
    let mut kernel = Words(Vec::new());
    let item = kernel.begin_kernel(&mut ids);
    let value = ids.next().unwrap();
    kernel.op(Op::FunctionCall, &[id::UINT, value, id::FUNCTION, item.narrow]);
    kernel.end_kernel(&item, value, &mut ids);
    let (variable, body) = kernel.0.split_at(4);
    words.0.extend(variable);
    words
        .op(Op::Function, &[id::UINT, id::FUNCTION, 0, id::FUNCTION_TYPE])
        .op(Op::FunctionParameter, &[id::UINT, argument])
        .op(Op::FunctionEnd, &[]);
    words.0.extend(body);
    words.bytes()
}
