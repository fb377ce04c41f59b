//! Translates modules in assembly and checks their IR.

mod assemble;
mod builtins;
mod damage;
mod untyped;

use crate::{Math, Options, translate};
use assemble::assemble;
use muxcl_llvm::Context;

const NO_CONSTANTS: &[(u32, Vec<u8>)] = &[];

fn options(constants: &[(u32, Vec<u8>)]) -> Options<'_> {
    Options { constants, address_bits: 64, math: Math::default() }
}

/// The IR of a valid module.
fn ir_with(text: &str, constants: &[(u32, Vec<u8>)]) -> String {
    let context = Context::new();
    // As the compiler does.
    context.discard_value_names(true);
    let il = assemble(text);
    match translate(&context, &il, &options(constants)) {
        Ok(module) => module.to_string(),
        Err(e) => panic!("{e}\n{}", crate::text(&il, &options(constants)).unwrap_or_default()),
    }
}

fn ir(text: &str) -> String {
    ir_with(text, NO_CONSTANTS)
}

/// The error of an invalid module.
fn error(text: &str) -> String {
    let context = Context::new();
    translate(&context, &assemble(text), &options(NO_CONSTANTS)).unwrap_err().to_string()
}

/// The first instructions of most modules.
const HEAD: &str = "
    OpCapability Kernel
    OpCapability Addresses
    %std = OpExtInstImport \"OpenCL.std\"
    OpMemoryModel 2 2
";

/// Types that most modules have.
const TYPES: &str = "
    %void = OpTypeVoid
    %bool = OpTypeBool
    %i8 = OpTypeInt 8 0
    %i32 = OpTypeInt 32 0
    %i64 = OpTypeInt 64 0
    %f32 = OpTypeFloat 32
    %f64 = OpTypeFloat 64
    %v3i64 = OpTypeVector %i64 3
    %v4f32 = OpTypeVector %f32 4
    %v4i32 = OpTypeVector %i32 4
    %v2i32 = OpTypeVector %i32 2
    %pg = OpTypePointer 5 %i32
    %pgf = OpTypePointer 5 %f32
    %pf = OpTypePointer 7 %i32
    %pi = OpTypePointer 1 %v3i64
    %c0 = OpConstant %i32 0
    %c1 = OpConstant %i32 1
    %c2 = OpConstant %i32 2
    %c8 = OpConstant %i32 8
    %f1 = OpConstant %f32 0x3f800000
    %fkernel = OpTypeFunction %void %pg %pgf
";

/// A kernel `k(global int *p, global float *q)` with this body.
fn kernel_with(head: &str, declarations: &str, body: &str) -> String {
    format!(
        "{HEAD} OpEntryPoint 6 %k \"k\"\n {head}\n {TYPES}\n {declarations}\n
         %k = OpFunction %void 0 %fkernel
         %p = OpFunctionParameter %pg
         %q = OpFunctionParameter %pgf
         %start = OpLabel\n {body}\n OpReturn\n OpFunctionEnd\n"
    )
}

fn kernel(body: &str) -> String {
    kernel_with("", "", body)
}

#[test]
fn initializers_are_constructors() {
    let text = format!(
        "{HEAD} OpEntryPoint 6 %k \"start\"\n
         OpExecutionMode %k 33\n {TYPES}\n %f = OpTypeFunction %void\n
         %k = OpFunction %void 0 %f\n %start = OpLabel\n OpReturn\n OpFunctionEnd\n"
    );
    has(&ir(&text), &["@llvm.global_ctors = appending global", "ptr @start, ptr null }"]);
}

#[track_caller]
fn has(ir: &str, parts: &[&str]) {
    for part in parts {
        assert!(ir.contains(part), "no '{part}' in\n{ir}");
    }
}

#[test]
fn a_kernel_as_clang_makes_it() {
    let text = ir(&kernel_with(
        "OpExecutionMode %k 17 8 4 1
         OpExecutionMode %k 30 262149
         OpString \"kernel_arg_type.k.uint*,float*,\"
         OpName %p \"first\"
         OpName %q \"second\"
         OpDecorate %q 38 4",
        "",
        "%v = OpLoad %f32 %q 2 4\n %s = OpExtInst %f32 %std 57 %v\n OpStore %q %s 3 4",
    )
    .replace("OpString \"", "%string = OpString \""));
    has(
        &text,
        &[
            "target triple = \"spir64-unknown-unknown\"",
            "define dso_local spir_kernel void @k(ptr addrspace(1) align 4 %",
            "ptr addrspace(1) noalias align 4 %",
            "call contract spir_func float @_Z3sinf(float",
            "store volatile float",
            "!{i32 1, i32 1}",
            "!{!\"uint*\", !\"float*\"}",
            "!{!\"\", !\"restrict\"}",
            "!{!\"first\", !\"second\"}",
            "!{i32 8, i32 4, i32 1}",
            "!{<4 x float> poison, i32 0}",
        ],
    );
}

#[test]
fn argument_names_need_argument_types() {
    let text = ir(&kernel_with("OpName %p \"first\"\n OpName %q \"second\"", "", ""));
    has(&text, &["!kernel_arg_type ", "!{!\"int*\", !\"float*\"}"]);
    assert!(!text.contains("!kernel_arg_name"), "{text}");
}

#[test]
fn builtin_variables_are_calls() {
    let text = ir(&kernel_with(
        "OpDecorate %id 11 28\n OpDecorate %dim 11 30",
        "%id = OpVariable %pi 1\n %pd = OpTypePointer 1 %i32\n %dim = OpVariable %pd 1\n %pl = OpTypePointer 1 %i64",
        "%v = OpLoad %v3i64 %id\n %x = OpCompositeExtract %i64 %v 0
         %a = OpInBoundsAccessChain %pl %id %c1\n %y = OpLoad %i64 %a
         %d = OpLoad %i32 %dim\n %e = OpPtrAccessChain %pg %p %x\n OpStore %e %d",
    ));
    has(&text, &["@_Z13get_global_idj(i32 0)", "@_Z12get_work_dimv()", "memory(none)"]);
    assert!(!text.contains("get_local_id"));
    // Translators of SPIR-V 1.0 emit constants here.
    let text = ir(&kernel_with(
        "OpDecorate %id 11 28",
        "%pc = OpTypePointer 0 %v3i64\n %id = OpVariable %pc 0",
        "%v = OpLoad %v3i64 %id\n %x = OpCompositeExtract %i64 %v 0\n \
        %e = OpPtrAccessChain %pg %p %x\n OpStore %e %c1",
    ));
    has(&text, &["@_Z13get_global_idj(i32 0)", "load <3 x i64>, ptr addrspace(2)"]);
    // dpctl's modules use storage class CrossWorkgroup.
    let text = ir(&kernel_with(
        "OpDecorate %id 11 28",
        "%pc = OpTypePointer 5 %v3i64\n %id = OpVariable %pc 5",
        "%v = OpLoad %v3i64 %id\n %x = OpCompositeExtract %i64 %v 0\n \
        %e = OpPtrAccessChain %pg %p %x\n OpStore %e %c1",
    ));
    has(&text, &["@_Z13get_global_idj(i32 0)", "load <3 x i64>, ptr addrspace(1)"]);
    assert!(!text.contains("@spirv.variable"), "{text}");
}

#[test]
fn specialization_constants_are_folded() {
    let text = kernel_with(
        "OpDecorate %s 1 7\n OpDecorate %b 1 8\n OpDecorate %d 1 9",
        "%s = OpSpecConstant %i32 5
         %b = OpSpecConstantTrue %bool
         %d = OpSpecConstant %f64 0 0x40000000
         %t = OpSpecConstantOp %i32 132 %s %s ; IMul
         %u = OpSpecConstantOp %i32 169 %b %t %s ; Select
         %w = OpSpecConstantComposite %v2i32 %u %s
         %x = OpSpecConstantOp %i32 81 %w 0 ; CompositeExtract
         %a = OpTypeArray %i32 %x
         %pa = OpTypePointer 7 %a
         %n = OpSpecConstantOp %bool 176 %s %x ; ULessThan",
        "%array = OpVariable %pa 7\n OpStore %p %x\n %f = OpFConvert %f32 %d\n OpStore %q %f",
    );
    let own = ir(&text);
    has(&own, &["alloca [25 x i32]", "store i32 25", "double 2.000000e+00"]);
    let value = |number, bytes: &[u8]| (number, bytes.to_vec());
    let given = [value(7, &3_u32.to_le_bytes()), value(8, &[0]), value(9, &8.5_f64.to_le_bytes())];
    has(&ir_with(&text, &given), &["alloca [3 x i32]", "store i32 3", "double 8.500000e+00"]);
    let wrong = [value(7, &[1])];
    let context = Context::new();
    let sentence = translate(&context, &assemble(&text), &options(&wrong)).unwrap_err().to_string();
    assert!(sentence.contains("specialization constant 7 has 4 bytes, not 1"), "{sentence}");
}

#[test]
fn control_flow_needs_no_structure() {
    let text = ir(&kernel(
        "OpBranch %loop
         %loop = OpLabel
         %i = OpPhi %i32 %c0 %start %next %again
         %copy = OpCopyObject %i32 %i
         %next = OpIAdd %i32 %copy %c1
         OpLoopMerge %out %again 1
         OpSwitch %i %again 1 %again 2 %out
         %again = OpLabel
         %more = OpULessThan %bool %next %c8
         OpBranchConditional %more %loop %out 3 1
         %out = OpLabel
         %last = OpPhi %i32 %i %loop %next %again
         OpStore %p %last",
    ));
    has(
        &text,
        &[
            "switch i32 ",
            "!llvm.loop !",
            "!prof !",
            "\"llvm.loop.unroll.enable\"",
            "!\"branch_weights\", i32 3, i32 1",
        ],
    );
    // A block that is the target of two cases counts twice as a predecessor.
    let text = ir(&kernel(
        "OpSwitch %c1 %out 1 %out 2 %other
         %other = OpLabel
         OpBranch %out
         %out = OpLabel
         %last = OpPhi %i32 %c1 %start %c2 %other
         OpStore %p %last",
    ));
    assert_eq!(text.matches("[ 1, %").count(), 2, "{text}");
}

#[test]
fn called_kernels_have_a_separate_body() {
    let text = ir(&format!(
        "{HEAD} OpEntryPoint 6 %k \"k\"\n OpEntryPoint 6 %k \"again\"\n OpEntryPoint 6 %m \"m\"
         OpDecorate %import 41 \"outside\" 1\n OpDecorate %export 41 \"inside\" 0
         {TYPES}
         %unary = OpTypeFunction %i32 %i32
         %import = OpFunction %i32 0 %unary
         %a = OpFunctionParameter %i32
         OpFunctionEnd
         %export = OpFunction %i32 1 %unary
         %b = OpFunctionParameter %i32
         %b0 = OpLabel
         %r = OpFunctionCall %i32 %import %b
         OpReturnValue %r
         OpFunctionEnd
         %k = OpFunction %void 0 %fkernel
         %p = OpFunctionParameter %pg
         %q = OpFunctionParameter %pgf
         %start = OpLabel
         OpReturn
         OpFunctionEnd
         %m = OpFunction %void 0 %fkernel
         %p2 = OpFunctionParameter %pg
         %q2 = OpFunctionParameter %pgf
         %s2 = OpLabel
         %n = OpFunctionCall %void %k %p2 %q2
         OpReturn
         OpFunctionEnd"
    ));
    has(
        &text,
        &[
            "spir_kernel void @k(",
            "spir_kernel void @again(",
            "spir_kernel void @m(",
            "define internal spir_func void @spirv.kernel.",
            "declare spir_func i32 @outside(i32)",
            "define dso_local spir_func i32 @inside(i32 ",
        ],
    );
}

#[test]
fn blocks_may_come_in_any_order() {
    // The definition of %a is in a later block than its use.
    let text = ir(&kernel(
        "OpBranch %first
         %second = OpLabel
         %b = OpIAdd %i32 %a %c1
         OpStore %p %b
         OpReturn
         %first = OpLabel
         %a = OpIAdd %i32 %c1 %c2
         OpBranch %second
         %dead = OpLabel",
    ));
    has(&text, &["add i32 1, 2"]);
}

#[test]
fn a_kernel_may_share_its_name_with_its_body() {
    // llvm-spirv emits kernels this way.
    let text = ir(&format!(
        "{HEAD} OpEntryPoint 6 %k \"k\"\n OpDecorate %body 41 \"k\" 0\n {TYPES}
         %body = OpFunction %void 0 %fkernel
         %p2 = OpFunctionParameter %pg
         %q2 = OpFunctionParameter %pgf
         %s2 = OpLabel
         OpReturn
         OpFunctionEnd
         %k = OpFunction %void 0 %fkernel
         %p = OpFunctionParameter %pg
         %q = OpFunctionParameter %pgf
         %start = OpLabel
         %n = OpFunctionCall %void %body %p %q
         OpReturn
         OpFunctionEnd"
    ));
    has(&text, &["spir_kernel void @k(", "define internal spir_func void @spirv.function."]);
}

#[test]
fn memory_and_composites() {
    let text = ir(&kernel_with(
        "OpDecorate %packed 10",
        "%s = OpTypeStruct %i8 %v4i32 %f32
         %packed = OpTypeStruct %i8 %i32
         %ps = OpTypePointer 7 %s
         %pp = OpTypePointer 7 %packed
         %pw = OpTypePointer 4 %i32
         %wg = OpVariable %pw 4
         %x = OpConstantNull %s
         %ten = OpConstant %i64 10 0
         %chars = OpTypeArray %i8 %c2
         %letter = OpConstant %i8 65
         %text = OpConstantComposite %chars %letter %letter
         %pc = OpTypePointer 0 %chars
         %constant = OpVariable %pc 0 %text
         %pv = OpTypePointer 7 %v4i32",
        "%a = OpVariable %ps 7 %x
         %b = OpVariable %ps 7
         %c = OpVariable %pp 7
         OpCopyMemory %b %a
         %v = OpLoad %s %b
         %e = OpCompositeExtract %i32 %v 1 3
         %w = OpCompositeInsert %s %e %v 1 0
         OpStore %b %w
         %pe = OpInBoundsAccessChain %pf %b %c1 %c2
         %member = OpInBoundsAccessChain %pf %c %c1
         OpStore %member %e
         %m = OpLoad %i32 %pe 4
         OpStore %wg %m
         %vec = OpCompositeConstruct %v4i32 %e %e %m %m
         %two = OpVectorShuffle %v2i32 %vec %vec 4 0xffffffff
         %four = OpVectorShuffle %v4i32 %two %vec 0 2 3 1
         OpCopyMemorySized %b %a %ten 2 16",
    ));
    has(
        &text,
        &[
            "@llvm.memcpy.p0.p0.i64(ptr align 16",
            "getelementptr inbounds %s",
            ", align 1\n",
            "!nontemporal",
            "addrspace(3) global i32 undef",
            "addrspace(2) constant [2 x i8] c\"AA\"",
            "<2 x i32> <i32 4, i32 poison>",
            "<4 x i32> <i32 0, i32 4, i32 5, i32 1>",
            "i64 10, i1 false",
        ],
    );
}

#[test]
fn atomics_barriers_and_groups() {
    let text = ir(&kernel_with(
        "",
        "%device = OpConstant %i32 1\n %relaxed = OpConstantNull %i32\n %acqrel = OpConstant %i32 0x208
         %seq = OpConstant %i32 0x110\n %sub = OpConstant %i32 3\n %event = OpTypeEvent\n %none = OpConstantNull %event
         %pw = OpTypePointer 4 %i32\n %wg = OpVariable %pw 4\n %pe = OpTypePointer 7 %event\n %ten = OpConstant %i64 10 0",
        "%events = OpVariable %pe 7
         %a = OpAtomicIAdd %i32 %p %device %acqrel %c8
         %b = OpAtomicUMax %i32 %p %device %relaxed %c8
         %c = OpAtomicCompareExchange %i32 %p %device %acqrel %relaxed %c8 %c1
         %d = OpAtomicLoad %i32 %p %device %acqrel
         OpAtomicStore %q %device %acqrel %f1
         %dynamic = OpLoad %i32 %p
         OpAtomicStore %p %device %dynamic %c1
         OpControlBarrier %c2 %c2 %seq
         OpControlBarrier %sub %sub %seq
         OpMemoryBarrier %device %acqrel
         %f = OpGroupFAdd %f32 %c2 0 %f1
         %g = OpGroupUMax %i32 %sub 2 %a
         %t = OpULessThan %bool %a %b
         %h = OpGroupAll %bool %c2 %t
         %i = OpGroupBroadcast %i32 %c2 %a %ten
         %j = OpGroupAsyncCopy %event %c2 %wg %p %ten %ten %none
         OpStore %events %j
         OpGroupWaitEvents %c2 %c1 %events",
    ));
    has(
        &text,
        &[
            "@_Z25atomic_fetch_add_explicitPU3AS1VU7_Atomicii12memory_order12memory_scope(ptr addrspace(1) %",
            ", i32 8, i32 4, i32 2)",
            "@_Z25atomic_fetch_max_explicitPU3AS1VU7_Atomicjj12memory_order12memory_scope",
            "@_Z39atomic_compare_exchange_strong_explicitPU3AS1VU7_AtomiciPii12memory_orderS4_12memory_scope",
            "i32 8, i32 4, i32 0, i32 2)",
            "@_Z20atomic_load_explicitPU3AS1VU7_Atomici12memory_order12memory_scope(ptr addrspace(1) %",
            ", i32 2, i32 2)",
            "@_Z21atomic_store_explicitPU3AS1VU7_Atomicff12memory_order12memory_scope(ptr addrspace(1) %",
            ", float 1.000000e+00, i32 3, i32 2)",
            "@_Z18work_group_barrierj12memory_scope(i32 1, i32 1)",
            "@_Z17sub_group_barrierj12memory_scope(i32 1, i32 4)",
            "@_Z22atomic_work_item_fencej12memory_order12memory_scope(i32 2, i32 4, i32 2)",
            "@_Z21work_group_reduce_addf(float 1.000000e+00)",
            "@_Z28sub_group_scan_exclusive_maxj(",
            "@_Z14work_group_alli(i32",
            "@_Z20work_group_broadcastim(i32",
            "@_Z29async_work_group_strided_copyPU3AS3iPU3AS1Kimm9ocl_event(",
            "@_Z17wait_group_eventsiP9ocl_event(i32 1, ptr",
        ],
    );
}

/// Exclusive scans start with the type's own limit, not with truncated bits of the 32-bit one.
#[test]
fn exclusive_scans_of_narrow_integers_have_their_own_identity() {
    let scan = |kind: u32, operation: &str, bits: u32| {
        ir(&kernel_with(
            "",
            &format!("%n = OpTypeInt {bits} 0\n %ten = OpConstant %n 10"),
            &format!("%r = Op{operation} %n %c2 {kind} %ten"),
        ))
    };
    let exclusive = 2;
    for (operation, bits, clamp) in [
        ("GroupSMin", 8, "@llvm.smin.i32(i32 %t2, i32 127)"),
        ("GroupSMin", 16, "@llvm.smin.i32(i32 %t2, i32 32767)"),
        ("GroupSMax", 8, "@llvm.smax.i32(i32 %t2, i32 -128)"),
        ("GroupSMax", 16, "@llvm.smax.i32(i32 %t2, i32 -32768)"),
    ] {
        let truncation = format!("trunc i32 %t3 to i{bits}");
        has(&scan(exclusive, operation, bits), &[clamp, &truncation]);
    }
    for operation in ["GroupUMin", "GroupUMax", "GroupIAdd"] {
        assert!(!scan(exclusive, operation, 16).contains("llvm."), "{operation}");
    }
    for kind in [0, 1] {
        assert!(!scan(kind, "GroupSMin", 16).contains("llvm."), "{kind}");
    }
    assert!(!scan(exclusive, "GroupSMin", 32).contains("llvm."));
}

#[test]
fn structures_by_value_are_passed_byval() {
    let module = |kernels: &str| {
        format!(
            "{HEAD} {kernels} OpDecorate %packed 10\n OpDecorate %b 38 2\n {TYPES}
             %s = OpTypeStruct %i8 %v4i32\n %packed = OpTypeStruct %i8 %i32\n %pp = OpTypePointer 7 %packed
             %f = OpTypeFunction %void %s %pp %pg
             %k = OpFunction %void 0 %f\n %a = OpFunctionParameter %s\n %b = OpFunctionParameter %pp
             %p = OpFunctionParameter %pg
             %start = OpLabel\n %x = OpCompositeExtract %i32 %a 1 2\n OpStore %p %x\n OpReturn\n OpFunctionEnd"
        )
    };
    let parts = [
        "spir_kernel void @one(ptr byval(%s",
        ") align 16 %",
        ", ptr byval(%s",
        "align 1 %",
        "load %s",
    ];
    has(&ir(&module("OpEntryPoint 6 %k \"one\"\n")), &parts);
    // Two kernels share one body: both pass the value on.
    let two = ir(&module("OpEntryPoint 6 %k \"one\"\n OpEntryPoint 6 %k \"two\"\n"));
    has(&two, &parts);
    has(&two, &["spir_kernel void @two(ptr byval(%s", "call spir_func void @spirv.kernel."]);
}

#[test]
fn declared_pointee_types_are_not_trusted() {
    let text = ir(&kernel_with(
        "",
        "%event = OpTypeEvent\n %none = OpConstantNull %event\n %ten = OpConstant %i64 10 0\n %one = OpConstant %i64 1 0
         %list = OpTypeArray %f32 %c8\n %pl = OpTypePointer 4 %list\n %w = OpVariable %pl 4
         %events = OpTypeArray %event %c2\n %pe = OpTypePointer 7 %events\n %pb = OpTypePointer 7 %i8",
        "%e = OpVariable %pe 7
         %x = OpVariable %pb 7
         %j = OpGroupAsyncCopy %event %c2 %w %q %ten %one %none
         OpGroupWaitEvents %c2 %c1 %e
         %m = OpExtInst %f32 %std 45 %f1 %x
         %v = OpExtInst %v4f32 %std 171 %ten %x 4
         %a = OpAtomicLoad %i32 %e %c1 %c0",
    ));
    has(
        &text,
        &[
            "@_Z21async_work_group_copyPU3AS3fPU3AS1Kfm9ocl_event(",
            "@_Z17wait_group_eventsiP9ocl_event(",
            "@_Z4modffPf(",
            "@_Z6vload4mPKf(",
            "@_Z20atomic_load_explicitPVU7_Atomici12memory_order12memory_scope(",
        ],
    );
}

#[test]
fn images_and_samplers() {
    let text = ir(&format!(
        "{HEAD} OpEntryPoint 6 %k \"k\"\n {TYPES}
         %in = OpTypeImage %void 1 0 0 0 0 0 0
         %out = OpTypeImage %void 2 0 0 0 0 0 1
         %list = OpTypeImage %void 1 0 1 0 0 0 2
         %sampler = OpTypeSampler
         %both = OpTypeSampledImage %in
         %v2f = OpTypeVector %f32 2
         %v3i32 = OpTypeVector %i32 3
         %own = OpConstantSampler %sampler 4 1 1
         %zero = OpConstantNull %f32
         %at = OpConstantNull %v2f
         %there = OpConstantNull %v3i32
         %here = OpConstantNull %v2i32
         %fimages = OpTypeFunction %void %in %out %list %sampler
         %k = OpFunction %void 0 %fimages
         %a = OpFunctionParameter %in
         %b = OpFunctionParameter %out
         %c = OpFunctionParameter %list
         %s = OpFunctionParameter %sampler
         %start = OpLabel
         %as = OpSampledImage %both %a %s
         %x = OpImageSampleExplicitLod %v4f32 %as %at 2 %zero
         %ao = OpSampledImage %both %a %own
         %y = OpImageSampleExplicitLod %v4f32 %ao %at 2 %f1
         %z = OpImageRead %v4i32 %a %here 0x2000
         OpImageWrite %b %there %x
         %size = OpImageQuerySize %v3i32 %c
         %order = OpImageQueryOrder %i32 %a
         OpReturn
         OpFunctionEnd"
    ));
    has(
        &text,
        &[
            "target(\"spirv.Image\", void, 1, 0, 0, 0, 0, 0, 0) %",
            "@_Z11read_imagef14ocl_image2d_ro11ocl_samplerDv2_f(",
            "@_Z11read_imagef14ocl_image2d_ro11ocl_samplerDv2_ff(",
            "@__translate_sampler_initializer(i32 41)",
            "@_Z12read_imageui14ocl_image2d_roDv2_i(",
            "@_Z12write_imagef14ocl_image3d_woDv4_iDv4_f(",
            "@_Z20get_image_array_size20ocl_image2d_array_rw(",
            "!{!\"read_only\", !\"write_only\", !\"read_write\", !\"none\"}",
            "!{!\"image2d_t\", !\"image3d_t\", !\"image2d_array_t\", !\"sampler_t\"}",
        ],
    );
}

#[test]
fn kernels_that_enqueue_kernels() {
    let text = ir(&format!(
        "{HEAD} OpEntryPoint 6 %k \"k\"\n {TYPES}
         %queue = OpTypeQueue\n %clk = OpTypeDeviceEvent\n %three = OpConstant %i32 3
         %sizes = OpTypeArray %i64 %three\n %range = OpTypeStruct %i32 %sizes %sizes %sizes
         %pc = OpTypePointer 8 %i8\n %pl = OpTypePointer 4 %i8\n %pev = OpTypePointer 8 %clk\n %none = OpConstantNull %pev
         %ten = OpConstant %i64 10 0\n %long = OpTypePointer 7 %v4i32\n %pp = OpTypePointer 7 %i8
         %finvoke = OpTypeFunction %void %pc %pl\n %fplain = OpTypeFunction %void %pc\n %fk = OpTypeFunction %void %queue %pgf
         %block = OpFunction %void 0 %finvoke\n %b1 = OpFunctionParameter %pc\n %b2 = OpFunctionParameter %pl
         %bl = OpLabel\n OpReturn\n OpFunctionEnd
         %plain = OpFunction %void 0 %fplain\n %b3 = OpFunctionParameter %pc\n %bm = OpLabel\n OpReturn\n OpFunctionEnd
         %k = OpFunction %void 0 %fk\n %qu = OpFunctionParameter %queue\n %q = OpFunctionParameter %pgf
         %start = OpLabel
         %data = OpVariable %long 7
         %bytes = OpBitcast %pp %data
         %as = OpPtrCastToGeneric %pc %bytes
         %nd = OpBuildNDRange %range %ten %ten %ten
         %r = OpEnqueueKernel %i32 %qu %c1 %nd %c0 %none %none %plain %as %c8 %c8
         %event = OpCreateUserEvent %clk
         %s = OpEnqueueKernel %i32 %qu %c1 %nd %c0 %none %none %block %as %c8 %c8 %c2
         %w = OpGetKernelWorkGroupSize %i32 %plain %as %c8 %c8
         %sg = OpGetKernelMaxNumSubgroups %i32 %plain %as %c8 %c8
         %sc = OpGetKernelLocalSizeForSubgroupCount %i32 %c2 %plain %as %c8 %c8
         %default = OpGetDefaultQueue %queue
         OpReleaseEvent %event
         %m = OpEnqueueMarker %i32 %default %c0 %none %none
         OpReturn\n OpFunctionEnd"
    ));
    has(
        &text,
        &[
            "call spir_func i32 @__enqueue_kernel_basic(target(\"spirv.Queue\") %",
            "@__enqueue_kernel_varargs(",
            "define internal spir_kernel void @spirv.block.",
            "llvm.memcpy.p0.p4.i64",
            "@_Z14enqueue_marker9ocl_queuejPU3AS4K12ocl_clkeventPU3AS4S0_(",
            "@_Z13release_event12ocl_clkevent(",
            "@__get_kernel_work_group_size_impl(ptr addrspace(4) addrspacecast",
        ],
    );
}

#[test]
fn fast_math_flags_follow_modes_and_options() {
    let body = "%v = OpLoad %f32 %q\n %m = OpFMul %f32 %v %v\n OpStore %q %m";
    has(&ir(&kernel(body)), &["fmul contract float"]);
    has(&ir(&kernel_with("OpExecutionMode %k 31", "", body)), &["fmul float"]);
    has(
        &ir(&kernel_with("OpExecutionMode %k 31\n OpDecorate %m 40 5", "", body)),
        &["fmul nnan nsz float"],
    );
    let context = Context::new();
    let math = Math { fast_relaxed: true, denorms_are_zero: true, ..Math::default() };
    let fast = Options { math, ..options(NO_CONSTANTS) };
    let text = translate(&context, &assemble(&kernel(body)), &fast).unwrap().to_string();
    has(&text, &["fmul fast float", "\"denormal-fp-math-f32\"=\"preserve-sign,preserve-sign\""]);
    assert!(!text.contains("muxcl-debug"));
    let quotient = kernel("%v = OpLoad %f32 %q\n %m = OpFDiv %f32 %v %v\n OpStore %q %m");
    let exact = Options { math: Math { exact_quotients: true, ..math }, ..fast };
    let text = translate(&context, &assemble(&quotient), &exact).unwrap().to_string();
    has(&text, &["fdiv reassoc nnan ninf nsz contract afn float"]);
    assert!(!text.contains("!fpmath"), "{text}");
    has(&ir(&quotient), &["fdiv contract float", ", !fpmath !", "= !{float 2.500000e+00}"]);
    let root = kernel("%v = OpLoad %f32 %q\n %m = OpExtInst %f32 %std 61 %v\n OpStore %q %m");
    has(&ir(&root), &["call contract spir_func float @_Z4sqrtf(float"]);
    let text = translate(&context, &assemble(&root), &fast).unwrap().to_string();
    has(&text, &["call fast spir_func float @_Z4sqrtf(float"]);
    let debug = Options { math: Math { debug: true, ..math }, ..fast };
    has(
        &translate(&context, &assemble(&kernel(body)), &debug).unwrap().to_string(),
        &["\"muxcl-debug\""],
    );
    let exact = kernel_with("OpExecutionMode %k 4461 32\n OpExecutionMode %k 4459 32", "", body);
    let text = translate(&context, &assemble(&exact), &fast).unwrap().to_string();
    assert!(text.contains("fmul contract float") && !text.contains("denormal-fp-math"), "{text}");
    let converted = "%v = OpLoad %f32 %q\n %a = OpConvertFToS %i32 %v\n OpStore %p %a";
    has(&ir(&kernel(converted)), &["fptosi float"]);
    has(
        &ir(&kernel_with("OpDecorate %a 28\n OpDecorate %a 39 2", "", converted)),
        &["@_Z19convert_int_sat_rtpf(float"],
    );
}

/// Declares two alias scopes in one domain, and lists of them.
const ALIASING: &str = "%domain = OpAliasDomainDeclINTEL\n %scope = OpAliasScopeDeclINTEL %domain
    %other = OpAliasScopeDeclINTEL %domain\n %own = OpAliasScopeListDeclINTEL %scope
    %others = OpAliasScopeListDeclINTEL %other %scope\n %none = OpAliasScopeListDeclINTEL";

#[test]
fn alias_scopes_become_metadata() {
    // llvm-spirv emits these declarations before the decorations.
    let head = format!("{ALIASING}\n OpDecorateId %v 5914 %own\n OpDecorateId %r 5915 %others");
    let declarations = "%ten = OpConstant %i64 10 0\n %fu = OpTypeFunction %f32 %f32
         %f = OpFunction %f32 0 %fu\n %a = OpFunctionParameter %f32\n %fb = OpLabel
         OpReturnValue %a\n OpFunctionEnd";
    let body = "
        %u = OpLoad %f32 %q 0x10002 4 %own
        %v = OpLoad %f32 %q 2 4
        %x = OpLoad %f32 %q 0x20000 %none
        %r = OpFunctionCall %f32 %f %u
        OpStore %q %r 0x30003 4 %own %others
        OpCopyMemorySized %q %p %ten 0x10000 %own
        OpCopyMemorySized %q %p %ten 0x10000 %own 0x20000 %others
        %at = OpAtomicLoad %i32 %p %c1 %c0";
    let text = ir(&kernel_with(&head, declarations, body));
    let lines = |part: &str| text.lines().filter(|l| l.contains(part)).collect::<Vec<_>>();
    let loads = lines("load float");
    assert!(
        loads[0].contains("align 4, !alias.scope !") && !loads[0].contains("!noalias"),
        "{text}"
    );
    assert!(loads[1].contains("align 4, !alias.scope !"), "{text}");
    assert!(loads[2].contains("!noalias !") && !loads[2].contains("!alias.scope"), "{text}");
    assert!(lines("call spir_func float @")[0].contains("!noalias !"), "{text}");
    assert!(lines("store volatile float")[0].contains("!alias.scope !"), "{text}");
    assert!(lines("store volatile float")[0].contains(", !noalias !"), "{text}");
    // One access with both lists of ids. If the lists differ, neither holds for both addresses.
    let copies = lines("call void @llvm.memcpy");
    assert!(
        copies[0].contains(", !alias.scope !") && !copies[1].contains("!alias.scope"),
        "{text}"
    );
    // One domain, two scopes, and lists of one, of two and of no scopes.
    let domain = text.lines().find(|l| l.contains("= distinct !{!") && !l.contains(", ")).unwrap();
    let domain = domain.split(' ').next().unwrap();
    let scopes: Vec<&str> = text
        .lines()
        .filter(|l| l.contains("= distinct !{!") && l.ends_with(&format!(", {domain}}}")))
        .filter_map(|l| l.split(' ').next())
        .collect();
    assert_eq!(scopes.len(), 2, "{text}");
    has(
        &text,
        &[&format!("= !{{{}}}", scopes[0]), &format!("= !{{{}, {}}}", scopes[1], scopes[0])],
    );
}

#[test]
fn hints_of_extensions_are_taken() {
    let extensions = ["SPV_INTEL_fp_fast_math_mode", "SPV_EXT_optnone", "SPV_INTEL_optnone"];
    let body = "%v = OpLoad %f32 %q\n %m = OpFMul %f32 %v %v\n OpStore %q %m";
    let mut module = kernel_with("OpExecutionMode %k 31\n OpDecorate %m 40 0x30000", "", body);
    module = module
        .replace(
            "OpCapability Addresses",
            "OpCapability Addresses\n OpCapability 5837\n OpCapability 6094",
        )
        .replace("%k = OpFunction %void 0", "%k = OpFunction %void 0x10000");
    for extension in extensions {
        module = module.replacen("%std =", &format!("OpExtension \"{extension}\"\n %std ="), 1);
    }
    has(&ir(&module), &["fmul reassoc contract float"]);
}

#[test]
fn saturating_intrinsics_may_be_imported() {
    let module = |name: &str, how: u32| {
        kernel_with(
            &format!("OpDecorate %f 41 \"{name}\" {how}"),
            "%fi = OpTypeFunction %i32 %i32 %i32\n %f = OpFunction %i32 0 %fi
             %x = OpFunctionParameter %i32\n %y = OpFunctionParameter %i32\n OpFunctionEnd",
            "%v = OpLoad %i32 %p\n %s = OpFunctionCall %i32 %f %v %c8\n OpStore %p %s",
        )
    };
    has(&ir(&module("llvm.usub.sat.i32", 1)), &["= call i32 @llvm.usub.sat.i32(i32 %"]);
    for (name, how, part) in [
        ("llvm.usub.sat.i64", 1, "which it is not"),
        ("llvm.usub.sat.i32", 0, "cannot be the name"),
        ("llvm.memcpy.p0.p0.i32", 1, "cannot be the name"),
    ] {
        let sentence = error(&module(name, how));
        assert!(sentence.contains(part), "{sentence}");
    }
}

#[test]
fn an_alignment_of_zero_is_none() {
    let zero = ir(&kernel("%v = OpLoad %f32 %q 2 0\n OpStore %q %v 3 0"));
    assert_eq!(zero, ir(&kernel("%v = OpLoad %f32 %q\n OpStore %q %v 1")));
    has(&zero, &["load float", "store volatile float"]);
}

#[test]
fn shuffles_and_blocks_of_sub_groups() {
    let text = ir(&kernel_with(
        "",
        "%i16 = OpTypeInt 16 0\n %pg16 = OpTypePointer 5 %i16",
        "%v = OpSubgroupBlockReadINTEL %v2i32 %p
         %a = OpSubgroupShuffleINTEL %v2i32 %v %c1
         %b = OpCompositeExtract %i32 %a 0
         %c = OpSubgroupShuffleXorINTEL %i32 %b %c2
         %d = OpSubgroupShuffleDownINTEL %i32 %b %c %c1
         %e = OpSubgroupShuffleUpINTEL %i32 %b %d %c1
         OpStore %p %e
         OpSubgroupBlockWriteINTEL %p %v
         %s = OpBitcast %pg16 %p
         %h = OpSubgroupBlockReadINTEL %i16 %s",
    ));
    has(
        &text,
        &[
            "load i32, ptr addrspace(1) %",
            "@_Z17sub_group_shuffleij(i32 %",
            "i32 1) #",
            "call spir_func i32 @_Z22get_sub_group_local_idv()",
            "call spir_func i32 @_Z22get_max_sub_group_sizev()",
            "getelementptr i32, ptr addrspace(1)",
            "icmp ult i32",
            "select i1",
            "load i16, ptr addrspace(1)",
            ", align 2\n",
        ],
    );
    assert_eq!(text.matches("call spir_func i32 @_Z17sub_group_shuffleij").count(), 7, "{text}");
    assert_eq!(text.matches("store i32").count(), 3, "{text}");
}

#[test]
fn blocks_of_images_are_calls() {
    let declarations = "%i16 = OpTypeInt 16 0\n %v4i16 = OpTypeVector %i16 4
         %image = OpTypeImage %void 1 0 0 0 0 0 2\n %f = OpTypeFunction %void %image %v2i32";
    let body = "OpReturn\n OpFunctionEnd\n %g = OpFunction %void 0 %f
         %m = OpFunctionParameter %image\n %at = OpFunctionParameter %v2i32\n %entry = OpLabel";
    let of = |instructions: &str| kernel_with("", declarations, &format!("{body}\n{instructions}"));
    has(
        &ir(&of("%a = OpSubgroupImageBlockReadINTEL %v4i16 %m %at
            OpSubgroupImageBlockWriteINTEL %m %at %at")),
        &[
            "call spir_func <4 x i16> @_Z30intel_sub_group_block_read_us414ocl_image2d_rwDv2_i(",
            "call spir_func void @_Z31intel_sub_group_block_write_ui214ocl_image2d_rwDv2_iDv2_j(",
        ],
    );
    let part = "is of an image without this access";
    for (access, instruction) in [
        (1, "%a = OpSubgroupImageBlockReadINTEL %v4i16 %m %at"),
        (0, "OpSubgroupImageBlockWriteINTEL %m %at %at"),
    ] {
        let text = of(instruction).replace("0 0 0 0 0 2", &format!("0 0 0 0 0 {access}"));
        assert!(error(&text).contains(part), "{}", error(&text));
    }
    for (part, instruction) in [
        ("is of 3 components", "%a = OpSubgroupImageBlockReadINTEL %v3i64 %m %at"),
        ("is not of integers", "%a = OpSubgroupImageBlockReadINTEL %f32 %m %at"),
        ("is no int2", "%a = OpSubgroupImageBlockReadINTEL %i32 %m %c1"),
    ] {
        let sentence = error(&of(instruction));
        assert!(sentence.contains(part), "{sentence}");
    }
}

#[test]
fn errors_name_the_reason() {
    let pipe = |declaration: &str, operands: &str| {
        let storage = format!("{declaration}\n %s = OpConstantPipeStorage {operands}");
        kernel_with("", &storage, "")
    };
    let mut wrong = Vec::new();
    for (part, text) in [
        ("OpFAdd is of ptr addrspace(1) and float", kernel("%a = OpFAdd %f32 %q %f1")),
        ("is used before it is defined", kernel("%b = OpIAdd %i32 %late %c1\n %late = OpIAdd %i32 %c1 %c2")),
        ("OpDPdx is not supported", kernel("%a = OpDPdx %f32 %f1")),
        ("capability Shader is not supported", kernel("").replace("OpCapability Addresses", "OpCapability Shader")),
        ("capability 6789 is not supported", kernel("").replace("OpCapability Addresses", "OpCapability 6789")),
        ("addresses of 32 bits", kernel("").replace("OpMemoryModel 2 2", "OpMemoryModel 1 2")),
        ("OpenCL.std has no instruction 999", kernel("%a = OpExtInst %f32 %std 999 %f1")),
        ("sin has 2 operands, not 1", kernel("%a = OpExtInst %f32 %std 57 %f1 %f1")),
        ("sin returns float, not i32", kernel("%a = OpExtInst %i32 %std 57 %f1")),
        ("extension SPV_UNKNOWN", kernel("").replace("%std =", "OpExtension \"SPV_UNKNOWN\"\n%std =")),
        ("instructions 'GLSL.std.450'", kernel("").replace("OpenCL.std", "GLSL.std.450")),
        ("which it is not", kernel("").replace("\"k\"", "\"_Z7barrierj\"")),
        ("the driver's own", kernel("").replace("\"k\"", "\"__muxcl_launch\"")),
        ("cannot be the name", kernel("").replace("\"k\"", "\"llvm.memcpy.p0\"")),
        ("floating point of 80 bits", kernel_with("", "%x = OpTypeFloat 80", "")),
        ("a vector of 5", kernel_with("", "%x = OpTypeVector %i32 5", "")),
        ("storage class 12", kernel_with("", "%x = OpTypePointer 12 %i32", "")),
        ("no parts", kernel("%a = OpInBoundsAccessChain %pg %p %c1")),
        ("changes the storage class", kernel("%a = OpPtrAccessChain %pf %p %c1")),
        ("does not lead to it", kernel("OpBranch %b\n %b = OpLabel\n %a = OpPhi %i32 %c1 %b %c2 %start")),
        ("has no body", kernel_with("", "", "OpReturn\nOpFunctionEnd\n%e = OpFunction %void 0 %fkernel\n
             %g = OpFunctionParameter %pg\n %h = OpFunctionParameter %pgf\nOpFunctionEnd\n
             %z = OpFunction %void 0 %fkernel\n%g2 = OpFunctionParameter %pg\n%h2 = OpFunctionParameter %pgf\n%y = OpLabel")),
        ("contradicts itself", kernel("OpBranch %k\n %dead = OpLabel")),
        ("is no value", kernel("OpStore %i32 %c1")),
        ("is too large", kernel_with("", "%n = OpConstant %i64 0 0xffff\n%x = OpTypeArray %i32 %n", "")),
        (
            "the operand of OpMemoryNamedBarrier is no named barrier",
            kernel("OpMemoryNamedBarrier %c1 %c1 %c0"),
        ),
        (
            "the type of the result is no OpTypeNamedBarrier",
            kernel("%b = OpNamedBarrierInitialize %i32 %c1"),
        ),
        (
            "a named barrier cannot be returned, stored, or chosen by an OpPhi",
            kernel_with("", "%nb = OpTypeNamedBarrier", "%b = OpNamedBarrierInitialize %nb %c1\n
                OpBranch %l\n %l = OpLabel\n %a = OpPhi %nb %b %start"),
        ),
        (
            "a named barrier cannot be returned, stored",
            kernel_with("", "%nb = OpTypeNamedBarrier\n %g = OpTypeFunction %nb", ""),
        ),
        (
            "a named barrier cannot be returned, stored",
            kernel_with("", "%nb = OpTypeNamedBarrier\n %g = OpTypePointer 7 %nb", ""),
        ),
        (
            "a named barrier cannot be returned, stored",
            kernel_with("", "%nb = OpTypeNamedBarrier\n %g = OpTypeArray %nb %c2", ""),
        ),
        ("the type is no OpTypePipeStorage", pipe("", "%i32 4 4 8")),
        (
            "a pipe of 2000000 packets of 4 bytes is not possible",
            pipe("%t = OpTypePipeStorage", "%t 4 4 2000000"),
        ),
        ("no multiple of their alignment", pipe("%t = OpTypePipeStorage", "%t 6 4 8")),
        (
            "a pipe is made of an OpTypePipeStorage only",
            kernel_with("", "%t = OpTypePipe 0", "%x = OpCreatePipeFromPipeStorage %t %c1"),
        ),
        ("initializer 'k' has arguments", kernel_with("OpExecutionMode %k 33", "", "")),
        ("execution mode RoundingModeRTZ", kernel_with("OpExecutionMode %k 4463 32", "", "")),
        ("is not declared by OpAliasScopeListDeclINTEL",
            kernel_with("", ALIASING, "%a = OpLoad %f32 %q 0x10000 %scope")),
        ("is not declared by OpAliasScopeDeclINTEL", kernel_with(
            "", "%l = OpAliasScopeListDeclINTEL %c1", "%a = OpLoad %f32 %q 0x20000 %l")),
        ("OpLoad ends before its operand 5", kernel("%a = OpLoad %f32 %q 0x20000")),
        ("not of its result type", kernel("%a = OpSubgroupShuffleINTEL %f32 %c1 %c1")),
        ("OpSubgroupBlockReadINTEL is not of integers", kernel("%a = OpSubgroupBlockReadINTEL %f32 %q")),
        ("OpSubgroupImageBlockReadINTEL is not of a 2D image",
            kernel("%a = OpSubgroupImageBlockReadINTEL %v2i32 %q %c1")),
        ("there is no clock", kernel("%a = OpReadClockKHR %i64 %c0")),
        ("not possible on i8", kernel_with("", "%pb = OpTypePointer 7 %i8", "%b = OpVariable %pb 7\n
             %a = OpAtomicLoad %i8 %b %c1 %c0")),
    ] {
        let sentence = error(&text);
        if !sentence.contains(part) || !sentence.starts_with("SPIR-V, word ") {
            wrong.push(format!("'{part}' is not in: {sentence}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
