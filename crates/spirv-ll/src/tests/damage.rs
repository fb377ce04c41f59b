//! Damaged modules give an error or IR, never a crash.

use super::{HEAD, TYPES, assemble, kernel_with, options};
use crate::translate;
use muxcl_llvm::Context;

/// Modules with instructions of every family.
fn modules() -> [Vec<u8>; 2] {
    let one = kernel_with(
        "OpDecorate %id 11 28\n OpDecorate %s 1 7\n OpDecorate %m 40 3\n OpDecorate %cv 28",
        "%id = OpVariable %pi 1\n %s = OpSpecConstant %i32 5\n %t = OpSpecConstantOp %i32 128 %s %c1
         %a = OpTypeArray %i32 %t\n %st = OpTypeStruct %i32 %a %v4f32\n %ps = OpTypePointer 7 %st\n %null = OpConstantNull %st
         %vec = OpConstantComposite %v4i32 %c0 %c1 %c2 %c8\n \
         %pw = OpTypePointer 4 %i32\n %w = OpVariable %pw 4
         %dom = OpAliasDomainDeclINTEL\n %sco = OpAliasScopeDeclINTEL %dom\n \
         %li = OpAliasScopeListDeclINTEL %sco",
        "%v = OpVariable %ps 7 %null
         %g = OpLoad %v3i64 %id
         %x = OpCompositeExtract %i64 %g 0
         %e = OpInBoundsPtrAccessChain %pgf %q %x
         %l = OpLoad %f32 %e 2 4
         %m = OpFMul %f32 %l %f1
         %cv = OpConvertFToS %i32 %m
         %sin = OpExtInst %f32 %std 57 %m
         OpStore %e %sin
         %at = OpAccessChain %pf %v %c1 %c2
         OpStore %at %cv
         %all = OpLoad %st %v
         %in = OpCompositeInsert %st %cv %all 0
         %sh = OpVectorShuffle %v2i32 %vec %vec 0 5
         %add = OpAtomicIAdd %i32 %p %c1 %c0 %cv
         OpControlBarrier %c2 %c2 %c8
         %gr = OpGroupIAdd %i32 %c2 0 %cv
         %al = OpLoad %f32 %e 0x30002 4 %li %li
         %su = OpSubgroupShuffleXorINTEL %i32 %cv %c1
         %sd = OpSubgroupShuffleDownINTEL %i32 %cv %su %c1
         %br = OpSubgroupBlockReadINTEL %v2i32 %p
         OpSubgroupBlockWriteINTEL %p %br
         OpBranch %loop
         %loop = OpLabel
         %i = OpPhi %i32 %c0 %start %n %loop
         %n = OpIAdd %i32 %i %c1
         %le = OpULessThan %bool %n %c8
         OpBranchConditional %le %loop %out
         %out = OpLabel
         OpSwitch %n %end 1 %end
         %end = OpLabel",
    );
    let two = format!(
        "{HEAD} OpEntryPoint 6 %k \"k\"\n OpDecorate %f 41 \"f\" 0\n {TYPES}
         %image = OpTypeImage %void 1 0 0 0 0 0 0\n %sampler = OpTypeSampler\n %both = OpTypeSampledImage %image
         %v2f = OpTypeVector %f32 2\n %at = OpConstantNull %v2f\n %half = OpTypeFloat 16\n %ph = OpTypePointer 5 %half
         %ten = OpConstant %i64 10 0
         %fk = OpTypeFunction %void %image %sampler %pgf\n %ff = OpTypeFunction %i32 %i32
         %f = OpFunction %i32 0 %ff\n %a = OpFunctionParameter %i32\n %fl = OpLabel\n OpReturnValue %a\n OpFunctionEnd
         %k = OpFunction %void 0 %fk
         %im = OpFunctionParameter %image\n %sa = OpFunctionParameter %sampler\n %q = OpFunctionParameter %pgf
         %start = OpLabel
         %si = OpSampledImage %both %im %sa
         %px = OpImageSampleExplicitLod %v4f32 %si %at 2 %f1
         %ld = OpExtInst %v4f32 %std 171 %ten %q 4
         %bc = OpBitcast %ph %q
         %sh = OpExtInst %void %std 178 %ld %ten %bc 1
         %fc = OpFunctionCall %i32 %f %c1
         %bi = OpBitReverse %i32 %fc
         %sl = OpShiftLeftLogical %i32 %bi %c2
         OpReturn\n OpFunctionEnd"
    );
    [assemble(&one), assemble(&two)]
}

#[test]
fn changed_words_never_panic() {
    for il in modules() {
        let context = Context::new();
        assert!(translate(&context, &il, &options(&[])).is_ok());
        drop(context);
        for at in (20..il.len()).step_by(4) {
            let old = u32::from_le_bytes(il[at..at + 4].try_into().unwrap());
            for value in
                [0, 1, 2, 7, old + 1, old.wrapping_sub(1), old ^ 8, 0xffff_ffff, 0x4000_0000]
            {
                let mut damaged = il.clone();
                damaged[at..at + 4].copy_from_slice(&value.to_le_bytes());
                let context = Context::new();
                let _ = translate(&context, &damaged, &options(&[]));
            }
        }
    }
}

#[test]
fn nothing_grows_without_bound() {
    // Each type holds two of the previous one: 2^36 values in 36 instructions.
    let mut text = format!(
        "{HEAD} {TYPES} %t0 = OpTypeArray %i32 %c2\n %z0 = OpConstantComposite %t0 %c1 %c1\n"
    );
    for n in 1..36 {
        let before = n - 1;
        text.push_str(&format!(
            "%t{n} = OpTypeArray %t{before} %c2\n %z{n} = OpConstantComposite %t{n} %z{before} %z{before}\n"
        ));
    }
    text.push_str("%pt = OpTypePointer 5 %t35\n %v = OpVariable %pt 5 %z35\n");
    let sentence = super::error(&text);
    assert!(sentence.contains("a constant is too large"), "{sentence}");

    let mut text = format!("{HEAD} {TYPES} %t0 = OpTypeStruct %i32\n");
    for n in 1..200 {
        text.push_str(&format!("%t{n} = OpTypeStruct %t{}\n", n - 1));
    }
    assert!(super::error(&text).contains("nested more than 64 deep"));
}
