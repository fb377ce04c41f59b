//! Untyped pointers (`SPV_KHR_untyped_pointers`).

use super::{HEAD, error, has, ir, kernel_with};

/// Types of untyped pointers and of what they point to.
const UNTYPED: &str = "
    %ug = OpTypeUntypedPointerKHR 5
    %ul = OpTypeUntypedPointerKHR 4
    %uf = OpTypeUntypedPointerKHR 7
    %uc = OpTypeUntypedPointerKHR 0
    %event = OpTypeEvent
    %list = OpTypeArray %f32 %c8
    %pair = OpTypeStruct %i8 %list
    %three = OpConstant %i32 3
    %s8 = OpConstant %i64 8 0
    %none = OpConstantNull %event
    %table = OpUntypedVariableKHR %ug 5 %list
    %tile = OpUntypedVariableKHR %ul 4 %list
    %number = OpUntypedVariableKHR %uc 0 %i32 %c8
    %third = OpSpecConstantOp %ug 4420 %list %table %c2
    %next = OpSpecConstantOp %ug 4423 %list %table %c1 %c2
";

/// A function with a typed pointer `a` and an untyped pointer `u` as parameters.
fn kernel(body: &str) -> String {
    let text = kernel_with(
        "",
        &format!("{UNTYPED} %f = OpTypeFunction %void %pg %ug"),
        &format!("OpReturn\n OpFunctionEnd\n {}", second(body)),
    );
    let extension = "OpCapability UntypedPointersKHR\n OpExtension \"SPV_KHR_untyped_pointers\"";
    text.replace("%std =", &format!("{extension}\n %std ="))
}

/// The IR of a module, with the names `%a` and `%u` for the function's parameters.
fn ir_of(text: &str) -> String {
    let text = ir(text);
    let (_, rest) = text.split_once("@spirv.function.").unwrap();
    let (_, rest) = rest.split_once('(').unwrap();
    let (parameters, _) = rest.split_once(") #").unwrap();
    let names: Vec<&str> = parameters.split(", ").map(|p| p.rsplit(' ').next().unwrap()).collect();
    text.replace(names[0], "%a").replace(names[1], "%u")
}

/// The function below [`kernel_with`]'s kernel.
fn second(body: &str) -> String {
    format!(
        "%g = OpFunction %void 0 %f\n %a = OpFunctionParameter %pg\n %u = OpFunctionParameter %ug\n
         %entry = OpLabel\n {body}"
    )
}

#[test]
fn the_instruction_says_what_is_loaded_and_stored() {
    let text = ir_of(&kernel(
        "%x = OpLoad %f32 %u 2 4\n OpStore %u %c1\n
         %y = OpAtomicIAdd %i32 %u %c1 %c0 %c2\n OpAtomicStore %u %c1 %c0 %f1\n
         %z = OpExtInst %v4f32 %std 171 %s8 %u 4\n OpUntypedPrefetchKHR %u %s8",
    ));
    has(
        &text,
        &[
            "load float, ptr addrspace(1) %u, align 4",
            "store i32 1, ptr addrspace(1) %u",
            "atomic_fetch_add_explicit",
            "atomic_store_explicit",
            "_Z6vload4mPU3AS1Kf(i64 8, ptr addrspace(1) %u)",
        ],
    );
}

#[test]
fn addresses_walk_through_the_type_of_the_instruction() {
    let text = ir_of(&kernel(
        "%x = OpUntypedAccessChainKHR %ug %pair %u %c1 %c2\n
         %y = OpUntypedInBoundsPtrAccessChainKHR %ug %f32 %a %s8\n
         %z = OpUntypedPtrAccessChainKHR %ug %pair %u %s8 %c1 %c2\n
         %w = OpPtrDiff %i64 %x %y\n %v = OpPtrEqual %bool %x %u",
    ));
    has(
        &text,
        &[
            "getelementptr %s",
            "ptr addrspace(1) %u, i32 0, i32 1, i32 2",
            "getelementptr inbounds float, ptr addrspace(1) %a, i64 8",
            "ptr addrspace(1) %u, i64 8, i32 1, i32 2",
            "sdiv exact i64 %t3, 1",
            ", %u\n",
        ],
    );
}

#[test]
fn variables_have_the_type_of_their_data() {
    let text = ir_of(&kernel(
        "%x = OpUntypedVariableKHR %uf 7 %i32 %c2\n OpCopyMemory %a %u\n
         OpCopyMemorySized %tile %u %s8\n OpStore %third %f1\n OpStore %next %f1\n
         %y = OpLoad %i32 %number",
    ));
    has(
        &text,
        &[
            "= internal addrspace(1) global [8 x float] zeroinitializer, align 4",
            "= internal addrspace(3) global [8 x float] undef, align 4",
            "= internal addrspace(2) constant i32 8, align 4",
            "alloca i32, align 4",
            "store i32 2, ptr %",
            "call void @llvm.memcpy.p1.p1.i64(ptr addrspace(1) align 4 %a, \
             ptr addrspace(1) align 4 %u, i64 4",
            "call void @llvm.memcpy.p3.p1.i64(ptr addrspace(3) align 1 @",
            "getelementptr inbounds ([8 x float], ptr addrspace(1) @",
            "i32 1, i32 2)",
        ],
    );
}

#[test]
fn a_copy_of_a_group_has_a_line_for_each_element() {
    let text = ir_of(&kernel(
        "%e = OpUntypedGroupAsyncCopyKHR %event %c2 %tile %u %s8 %s8 %s8 %none\n
         %h = OpUntypedGroupAsyncCopyKHR %event %c2 %u %tile %s8 %s8 %s8 %e",
    ));
    let name = "async_work_group_copy_2D2D";
    assert_eq!(
        text.matches(&format!("call spir_func target(\"spirv.Event\") @_Z26{name}")).count(),
        2
    );
}

#[test]
fn a_builtin_variable_may_be_untyped() {
    let text = format!(
        "{HEAD} OpEntryPoint 6 %k \"k\"\n OpDecorate %id 11 28\n %void = OpTypeVoid
         %i64 = OpTypeInt 64 0\n %v3i64 = OpTypeVector %i64 3\n %f = OpTypeFunction %void
         %ui = OpTypeUntypedPointerKHR 1\n %id = OpUntypedVariableKHR %ui 1 %v3i64
         %k = OpFunction %void 0 %f\n %start = OpLabel\n %x = OpLoad %v3i64 %id\n OpReturn
         OpFunctionEnd\n"
    );
    has(&ir(&text), &["_Z13get_global_idj(i32 0)", "load <3 x i64>"]);
}

#[test]
fn what_has_no_type_is_refused() {
    let barrier = "%nb = OpTypeNamedBarrier";
    for (part, text) in [
        ("so its size is unknown", kernel("OpCopyMemory %u %u")),
        ("so its size is unknown", kernel("%x = OpUntypedVariableKHR %uf 7")),
        (
            "OpPtrAccessChain needs a pointer with a type",
            kernel("%x = OpPtrAccessChain %pg %u %c1"),
        ),
        (
            "the result of OpUntypedAccessChainKHR is a typed pointer",
            kernel("%x = OpUntypedAccessChainKHR %pg %list %u %c1"),
        ),
        ("the result of OpAccessChain is an untyped pointer", kernel("%x = OpAccessChain %ug %a")),
        (
            "OpUntypedAccessChainKHR changes the storage class",
            kernel("%x = OpUntypedAccessChainKHR %ul %list %u %c1"),
        ),
        ("is no type", kernel("%x = OpUntypedAccessChainKHR %ug %c1 %u %c1")),
        ("is an untyped pointer", kernel("%x = OpVariable %uf 7")),
        ("is a typed pointer", kernel("%x = OpUntypedVariableKHR %pf 7 %i32")),
        (
            "is not between global and local memory",
            kernel("%e = OpUntypedGroupAsyncCopyKHR %event %c2 %u %u %s8 %s8 %s8 %none"),
        ),
        (
            "is not of a work-group",
            kernel("%e = OpUntypedGroupAsyncCopyKHR %event %three %u %tile %s8 %s8 %s8 %none"),
        ),
        (
            "a named barrier cannot be returned, stored",
            kernel("%b = OpNamedBarrierInitialize %nb %c1\n OpStore %u %b")
                .replace("%event =", &format!("{barrier}\n%event =")),
        ),
        (
            "a named barrier cannot be returned, stored",
            kernel("%b = OpLoad %nb %u").replace("%event =", &format!("{barrier}\n%event =")),
        ),
        (
            "ByVal or Sret is an untyped pointer",
            kernel(
                "OpReturn\n OpFunctionEnd\n %fw = OpFunction %void 0 %tw
                 %w = OpFunctionParameter %uf\n %lw = OpLabel",
            )
            .replace("%void = OpTypeVoid", "OpDecorate %w 38 2\n%void = OpTypeVoid\n")
            .replace("%event =", "%tw = OpTypeFunction %void %uf\n%event ="),
        ),
    ] {
        let sentence = error(&text);
        assert!(sentence.contains(part), "'{part}' is not in: {sentence}");
    }
}
