//! Hand-written modules, valid and damaged.

use super::{Error, Module, ModuleInfo, SpecConstant, is_spirv, module_info, support};
use spirv::{Capability, Op};

/// The words of a module under construction.
struct Words(Vec<u32>);

impl Words {
    fn new(version: u32, bound: u32) -> Self {
        Self(vec![spirv::MAGIC_NUMBER, version, 0, bound, 0])
    }
    fn op(mut self, op: Op, operands: &[u32]) -> Self {
        self.0.push((u32::try_from(operands.len()).unwrap() + 1) << 16 | op as u32);
        self.0.extend(operands);
        self
    }
    fn named(self, op: Op, before: &[u32], text: &str) -> Self {
        let mut bytes = text.as_bytes().to_vec();
        bytes.resize(bytes.len() / 4 * 4 + 4, 0);
        let words = bytes.as_chunks::<4>().0.iter().map(|&c| u32::from_le_bytes(c));
        let operands: Vec<u32> = before.iter().copied().chain(words).collect();
        self.op(op, &operands)
    }
    fn bytes(&self) -> Vec<u8> {
        self.0.iter().flat_map(|w| w.to_le_bytes()).collect()
    }
}

/// A module with a kernel `nothing` and two specialization constants.
fn small() -> Words {
    Words::new(0x0001_0200, 20)
        .op(Op::Capability, &[Capability::Kernel as u32])
        .op(Op::Capability, &[Capability::Addresses as u32])
        .op(Op::Capability, &[Capability::Kernel as u32])
        .named(Op::Extension, &[], "SPV_KHR_expect_assume")
        .named(Op::ExtInstImport, &[1], "OpenCL.std")
        .op(Op::MemoryModel, &[2, 2])
        .named(Op::EntryPoint, &[6, 2], "nothing")
        .op(Op::Decorate, &[10, 1, 7])
        .op(Op::Decorate, &[11, 1, 3])
        .op(Op::TypeVoid, &[3])
        .op(Op::TypeFunction, &[4, 3])
        .op(Op::TypeInt, &[5, 64, 0])
        .op(Op::TypeBool, &[6])
        .op(Op::SpecConstant, &[5, 10, 1, 2])
        .op(Op::SpecConstantTrue, &[6, 11])
        .op(Op::Function, &[3, 2, 0, 4])
        .op(Op::Label, &[12])
        .op(Op::Return, &[])
        .op(Op::FunctionEnd, &[])
}

fn text(words: &Words) -> String {
    module_info(&words.bytes()).unwrap_err().to_string()
}

#[test]
fn module_info_lists_declarations() {
    let expected = ModuleInfo {
        version: (1, 2),
        capabilities: vec![4, 6],
        extensions: vec!["SPV_KHR_expect_assume".into()],
        imports: vec!["OpenCL.std".into()],
        kernels: vec!["nothing".into()],
        constants: vec![SpecConstant { id: 3, bytes: 1 }, SpecConstant { id: 7, bytes: 8 }],
        address_bits: 64,
    };
    assert_eq!(module_info(&small().bytes()), Ok(expected.clone()));
    let swapped: Vec<u8> = small().0.iter().flat_map(|w| w.to_be_bytes()).collect();
    assert!(is_spirv(&swapped) && !is_spirv(b"\x7fELF"));
    assert_eq!(module_info(&swapped), Ok(expected));
}

#[test]
fn truncated_modules_are_errors() {
    let bytes = small().bytes();
    let model = Op::MemoryModel as u32 | 3 << 16;
    let declarations = small().0.iter().position(|&w| w == model).unwrap() * 4 + 12;
    assert!(module_info(&bytes[..declarations]).is_ok(), "a module without kernels");
    for end in (0..bytes.len()).filter(|&end| end != declarations) {
        assert!(module_info(&bytes[..end]).is_err(), "{end}");
    }
}

#[test]
fn changed_words_never_panic() {
    let words = small();
    for at in 0..words.0.len() {
        for value in [0, 1, 0xffff_ffff, 0x0001_0000, 0xffff_0036, 0x7fff_ffff] {
            let mut damaged = Words(words.0.clone());
            damaged.0[at] = value;
            let _ = module_info(&damaged.bytes()); // no panic
        }
    }
}

#[test]
fn errors_name_the_reason() {
    assert_eq!(
        module_info(b"kernel void f() {}").unwrap_err(),
        Error::new(0, "the module does not begin with SPIR-V's magic number 0x07230203")
    );
    assert!(text(&Words::new(0x0001_0700, 9)).contains("none of SPIR-V 1.0 to 1.6"));
    assert!(text(&Words::new(0x0001_0000, 0)).contains("the bound of ids is 0"));
    assert!(text(&Words::new(0x0001_0000, 9)).contains("no OpMemoryModel"));
    assert!(
        text(&Words::new(0x0001_0000, 9).op(Op::MemoryModel, &[0, 1]))
            .contains("memory model 1 is not OpenCL's")
    );
    assert!(text(&small().op(Op::Capability, &[6])).contains("comes too late"));
    assert!(text(&small().op(Op::Function, &[3, 13, 0, 4])).contains("no OpFunctionEnd"));
    assert!(text(&small().op(Op::Return, &[])).contains("outside of functions"));
    assert!(
        text(&small().op(Op::Function, &[3, 2, 0, 4])).contains("id 2 is defined a second time")
    );
    assert!(
        text(&small().op(Op::Function, &[3, 99, 0, 4])).contains("id 99 is not below the bound 20")
    );
    let mut words = small();
    words.0.push(0xffff);
    assert!(text(&words).contains("opcode 65535 is unknown"));
    words.0.pop();
    words.0.push(9 << 16 | Op::Branch as u32);
    assert!(text(&words).contains("ends within OpBranch"));
}

#[test]
fn an_unsupported_extension_is_named() {
    let unknown = |extension: &str| {
        let instruction = 3 << 16 | 6999;
        let mut words = Words::new(0x0001_0200, 9)
            .op(Op::Capability, &[Capability::Kernel as u32])
            .named(Op::Extension, &[], extension)
            .op(Op::MemoryModel, &[2, 2]);
        words.0.extend([instruction, 1, 2]);
        // An instruction that is known but outside of functions.
        words.op(Op::AsmTargetINTEL, &[3, 0x61])
    };
    assert!(text(&unknown("SPV_KHR_expect_assume")).contains("opcode 6999 is unknown"));
    let info = module_info(&unknown("SPV_MUXCL_unheard_of").bytes()).unwrap();
    let sentences = support::check(&info, 64, |_| true).unwrap_err();
    assert_eq!(
        sentences,
        ["the module needs the extension SPV_MUXCL_unheard_of, which no device of this driver has"]
    );
    let mut cut = unknown("SPV_MUXCL_unheard_of");
    cut.0.truncate(cut.0.len() - 3);
    cut.0.push(9 << 16 | 6999);
    assert!(text(&cut).contains("ends within opcode 6999, which has 9 words"));
}

#[test]
fn strings_without_end_are_errors() {
    let words = Words::new(0x0001_0000, 9).op(Op::Extension, &[0x6161_6161]);
    let module = Module::parse(&words.bytes()).unwrap();
    let i = module.instructions().next().unwrap();
    assert!(i.text(0).unwrap_err().text.contains("does not end"));
    assert!(i.operand(1).is_err() && i.rest(5).is_empty());
}
