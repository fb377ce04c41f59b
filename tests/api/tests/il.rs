//! Programs in SPIR-V through the system's loader, on the driver's real devices: builds, values of
//! specialization constants, and links. Each scenario is a process of its own, as in `loader`.
//!
//! Needs `cargo build -p muxcl-icd -p muxcl-compiler-lib -p muxcl-hal-refsi` (which `cargo xtask
//! test` does first).

#![expect(clippy::unwrap_used, reason = "a test may fail anywhere")]

#[path = "../../../crates/spirv-ll/src/tests/assemble.rs"]
mod assemble;

use std::ffi::{CStr, c_void};
use std::path::Path;
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use libtest_mimic::{Arguments, Failed, Trial};
use muxcl_cl_sys::{
    CL_BUILD_ERROR, CL_BUILD_SUCCESS, CL_DEVICE_MAX_NAMED_BARRIER_COUNT_KHR,
    CL_DEVICE_SPIRV_CAPABILITIES_KHR, CL_INVALID_WORK_GROUP_SIZE, CL_KERNEL_ARG_NAME,
    CL_KERNEL_ATTRIBUTES, CL_KERNEL_COMPILE_NUM_SUB_GROUPS, CL_PROGRAM_BINARY_TYPE,
    CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT, CL_PROGRAM_BINARY_TYPE_EXECUTABLE,
    CL_PROGRAM_BUILD_LOG, CL_PROGRAM_BUILD_OPTIONS, CL_PROGRAM_BUILD_STATUS, CL_PROGRAM_IL,
    CL_PROGRAM_KERNEL_NAMES, CL_SUCCESS, CL_TRUE, cl_context, cl_int, cl_mem, cl_program,
};
use muxcl_spirv::numbers::Capability;
use muxcl_test_api::drivers::{DEVICES, alone};
use muxcl_test_api::{
    buffer, code, context, errcode, fails, il, info, kernel, limit_memory, make, number,
    program_binary, setup, text,
};

const ITEMS: usize = 100;

/// A work-group has three sub-groups, of which the first two meet at a named barrier.
const NAMED_BARRIERS: &str = r#"
    OpCapability Kernel
    OpCapability Addresses
    OpCapability Int64
    OpCapability SubgroupDispatch
    OpCapability NamedBarrier
    OpMemoryModel 2 2
    OpEntryPoint 6 %k "k" %idv %gidv
    OpExecutionMode %k 36 3
    OpDecorate %idv 11 40
    OpDecorate %gidv 11 28
    %void = OpTypeVoid
    %bool = OpTypeBool
    %i32 = OpTypeInt 32 0
    %i64 = OpTypeInt 64 0
    %v3 = OpTypeVector %i64 3
    %pin = OpTypePointer 1 %i32
    %pinv = OpTypePointer 1 %v3
    %pg = OpTypePointer 5 %i32
    %nb = OpTypeNamedBarrier
    %c1 = OpConstant %i32 1
    %c2 = OpConstant %i32 2
    %memory = OpConstant %i32 0x308
    %f = OpTypeFunction %void %pg
    %idv = OpVariable %pin 1
    %gidv = OpVariable %pinv 1
    %k = OpFunction %void 0 %f
    %out = OpFunctionParameter %pg
    %start = OpLabel
    %b = OpNamedBarrierInitialize %nb %c2
    %id = OpLoad %i32 %idv
    %g3 = OpLoad %v3 %gidv
    %g = OpCompositeExtract %i64 %g3 0
    %p = OpInBoundsPtrAccessChain %pg %out %g
    %low = OpULessThan %bool %id %c2
    OpBranchConditional %low %first %second
    %first = OpLabel
    OpMemoryNamedBarrier %b %c2 %memory
    OpStore %p %c1
    OpMemoryNamedBarrier %b %c2 %memory
    OpBranch %end
    %second = OpLabel
    OpStore %p %c2
    OpBranch %end
    %end = OpLabel
    OpReturn
    OpFunctionEnd"#;

/// A pipe of eight packets that belongs to the module: kernels that put one packet and get one.
const PIPE_STORAGE: &str = r#"
    OpCapability Kernel
    OpCapability Addresses
    OpCapability Pipes
    OpCapability PipeStorage
    OpMemoryModel 2 2
    OpEntryPoint 6 %put "put" %var
    OpEntryPoint 6 %get "get"
    %void = OpTypeVoid
    %i32 = OpTypeInt 32 0
    %pg = OpTypePointer 5 %i32
    %storage = OpTypePipeStorage
    %pstorage = OpTypePointer 5 %storage
    %reads = OpTypePipe 0
    %writes = OpTypePipe 1
    %c1 = OpConstant %i32 1
    %c4 = OpConstant %i32 4
    %pipe = OpConstantPipeStorage %storage 4 4 8
    %f = OpTypeFunction %void %pg
    %var = OpVariable %pstorage 5 %pipe
    %put = OpFunction %void 0 %f
    %data = OpFunctionParameter %pg
    %start = OpLabel
    %loaded = OpLoad %storage %var
    %to = OpCreatePipeFromPipeStorage %writes %loaded
    %r = OpWritePipe %i32 %to %data %c4 %c4
    %result = OpInBoundsPtrAccessChain %pg %data %c1
    OpStore %result %r
    OpReturn
    OpFunctionEnd
    %get = OpFunction %void 0 %f
    %data2 = OpFunctionParameter %pg
    %start2 = OpLabel
    %from = OpCreatePipeFromPipeStorage %reads %pipe
    %r2 = OpReadPipe %i32 %from %data2 %c4 %c4
    %result2 = OpInBoundsPtrAccessChain %pg %data2 %c1
    OpStore %result2 %r2
    OpReturn
    OpFunctionEnd"#;

/// Each group copies every second number to local memory, adds 100, and copies the sums back. Each
/// work-item adds its number to the one behind it.
const UNTYPED_POINTERS: &str = r#"
    OpCapability Kernel
    OpCapability Addresses
    OpCapability Int64
    OpCapability UntypedPointersKHR
    OpExtension "SPV_KHR_untyped_pointers"
    OpMemoryModel 2 2
    OpEntryPoint 6 %k "k" %lidv %gidv
    OpDecorate %lidv 11 27
    OpDecorate %gidv 11 28
    %void = OpTypeVoid
    %i32 = OpTypeInt 32 0
    %i64 = OpTypeInt 64 0
    %v3 = OpTypeVector %i64 3
    %event = OpTypeEvent
    %c1 = OpConstant %i32 1
    %c2 = OpConstant %i32 2
    %c16 = OpConstant %i32 16
    %c100 = OpConstant %i32 100
    %memory = OpConstant %i32 0x308
    %l0 = OpConstant %i64 0 0
    %l1 = OpConstant %i64 1 0
    %l4 = OpConstant %i64 4 0
    %l8 = OpConstant %i64 8 0
    %l16 = OpConstant %i64 16 0
    %none = OpConstantNull %event
    %list = OpTypeArray %i32 %c16
    %pair = OpTypeStruct %i32 %i32
    %ui = OpTypeUntypedPointerKHR 1
    %ul = OpTypeUntypedPointerKHR 4
    %ug = OpTypeUntypedPointerKHR 5
    %uf = OpTypeUntypedPointerKHR 7
    %lidv = OpUntypedVariableKHR %ui 1 %v3
    %gidv = OpUntypedVariableKHR %ui 1 %v3
    %tile = OpUntypedVariableKHR %ul 4 %list
    %f = OpTypeFunction %void %ug
    %k = OpFunction %void 0 %f
    %data = OpFunctionParameter %ug
    %start = OpLabel
    %wait = OpUntypedVariableKHR %uf 7 %event
    %l3 = OpLoad %v3 %lidv
    %l = OpCompositeExtract %i64 %l3 0
    %g3 = OpLoad %v3 %gidv
    %g = OpCompositeExtract %i64 %g3 0
    %first = OpISub %i64 %g %l
    %global = OpUntypedInBoundsPtrAccessChainKHR %ug %pair %data %first
    %e1 = OpUntypedGroupAsyncCopyKHR %event %c2 %tile %global %l4 %l16 %l8 %none
    OpStore %wait %e1
    OpGroupWaitEvents %c2 %c1 %wait
    %mine = OpUntypedAccessChainKHR %ul %list %tile %l
    %x = OpLoad %i32 %mine
    %sum = OpIAdd %i32 %x %c100
    OpStore %mine %sum
    OpControlBarrier %c2 %c2 %memory
    %e2 = OpUntypedGroupAsyncCopyKHR %event %c2 %global %tile %l4 %l16 %l8 %none
    OpStore %wait %e2
    OpGroupWaitEvents %c2 %c1 %wait
    %second = OpUntypedInBoundsPtrAccessChainKHR %ug %pair %data %g %c1
    %old = OpAtomicIAdd %i32 %second %c1 %memory %x
    OpReturn
    OpFunctionEnd"#;

type Scenario = (&'static str, fn());

const SCENARIOS: &[Scenario] = &[
    ("runs", runs),
    ("cached", cached),
    ("constants", constants),
    ("constants_cached", constants),
    ("options", options),
    ("binaries", binaries),
    ("linking", linking),
    ("refused", refused),
    ("asynchronous", asynchronous),
    ("named_barriers", named_barriers),
    ("pipe_storage", pipe_storage),
    ("untyped_pointers", untyped_pointers),
    ("large", large),
];

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if let [_, child, name] = arguments.as_slice()
        && child == "--child"
    {
        let scenario =
            SCENARIOS.iter().find(|(n, _)| n == name).map(|(_, f)| f).expect("a known scenario");
        muxcl_test_api::use_loader();
        scenario();
        return;
    }
    // The order matters: `cached` uses the cache entries of `runs`.
    let mut arguments = Arguments::from_args();
    arguments.test_threads = Some(1);
    let trials = DEVICES
        .iter()
        .filter(|device| device.0 != "refsi-m1")
        .flat_map(|device| SCENARIOS.iter().map(move |(name, _)| (device, *name)))
        .map(|(device, name)| {
            // The sanitizers themselves need more address space than the limit allows.
            #[expect(
                clippy::disallowed_methods,
                reason = "variables of the sanitizers, not of muxcl"
            )]
            let sanitized = ["ASAN_OPTIONS", "TSAN_OPTIONS"]
                .iter()
                .any(|name| std::env::var_os(name).is_some());
            let trial = Trial::test(format!("{}/{name}", device.0), move || {
                let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!(
                    "il-{}-{}",
                    device.0,
                    std::process::id()
                ));
                let child = |name: &str| alone(device, &folder)?.args(["--child", name]).output();
                if name == "cached" && !folder.join("cache").exists() {
                    child("runs")?;
                }
                let output = child(name)?;
                let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
                match output.status.success() {
                    true => Ok(()),
                    false => Err(Failed::from(format!(
                        "{}\n{}{}",
                        output.status,
                        text(&output.stdout),
                        text(&output.stderr)
                    ))),
                }
            });
            trial.with_ignored_flag(name == "large" && sanitized)
        })
        .collect();
    libtest_mimic::run(&arguments, trials).exit();
}

fn create(c: cl_context, module: &[u8]) -> cl_program {
    make!(clCreateProgramWithIL(c, module.as_ptr().cast(), module.len()))
}

fn of_c(c: cl_context, source: &CStr) -> cl_program {
    let mut text = source.as_ptr();
    make!(clCreateProgramWithSource(c, 1, &raw mut text, null()))
}

fn log(p: cl_program) -> String {
    text(&info!(clGetProgramBuildInfo(p, setup().device()), CL_PROGRAM_BUILD_LOG))
}

fn build(p: cl_program, options: &CStr) {
    let code =
        muxcl_test_api::cl!(clBuildProgram(p, 0, null(), options.as_ptr(), None, null_mut()));
    assert_eq!(code, CL_SUCCESS, "{}", log(p));
}

/// The result of `clCompileProgram`.
fn compile_code(p: cl_program) -> cl_int {
    muxcl_test_api::cl!(clCompileProgram(
        p,
        0,
        null(),
        null(),
        0,
        null(),
        null_mut(),
        None,
        null_mut()
    ))
}

fn compile(p: cl_program) -> cl_program {
    assert_eq!(compile_code(p), CL_SUCCESS, "{}", log(p));
    p
}

fn link(c: cl_context, programs: &[cl_program]) -> cl_program {
    let count = u32::try_from(programs.len()).unwrap();
    make!(clLinkProgram(c, 0, null(), null(), count, programs.as_ptr(), None, null_mut()))
}

/// The result of a kernel with one buffer.
fn run(c: cl_context, p: cl_program, name: &CStr) -> Vec<u32> {
    let d = setup().device();
    let (q, k, out) = (
        make!(clCreateCommandQueueWithProperties(c, d, null())),
        kernel(p, name),
        buffer(c, ITEMS * 4),
    );
    code!(CL_SUCCESS, clSetKernelArg(k, 0, size_of::<cl_mem>(), (&raw const out).cast()));
    let global = ITEMS;
    code!(
        CL_SUCCESS,
        clEnqueueNDRangeKernel(q, k, 1, null(), &raw const global, null(), 0, null(), null_mut())
    );
    let mut result = vec![0_u32; ITEMS];
    let to = result.as_mut_ptr().cast();
    code!(
        CL_SUCCESS,
        clEnqueueReadBuffer(q, out, CL_TRUE, 0, ITEMS * 4, to, 0, null(), null_mut())
    );
    code!(CL_SUCCESS, clReleaseMemObject(out));
    code!(CL_SUCCESS, clReleaseKernel(k));
    code!(CL_SUCCESS, clReleaseCommandQueue(q));
    result
}

fn expect(result: &[u32], value: impl Fn(u32) -> u32) {
    let expected: Vec<u32> = (0..100).map(value).collect();
    assert_eq!(result, expected);
}

fn status(p: cl_program) -> i32 {
    let status = info!(clGetProgramBuildInfo(p, setup().device()), CL_PROGRAM_BUILD_STATUS);
    i32::from_ne_bytes(*status.first_chunk().unwrap())
}

fn mapped(part: &str) -> bool {
    std::fs::read_to_string("/proc/self/maps").unwrap_or_default().contains(part)
}

fn runs() {
    let c = context();
    let module = il::fill(0);
    let p = create(c, &module);
    assert!(!mapped("libmuxcl_compiler"), "nothing was built yet");
    build(p, c"");
    assert_eq!(text(&info!(clGetProgramInfo(p), CL_PROGRAM_KERNEL_NAMES)), "fill");
    assert_eq!(status(p), CL_BUILD_SUCCESS);
    assert_eq!(info!(clGetProgramInfo(p), CL_PROGRAM_IL), module);
    let k = kernel(p, c"fill");
    assert_eq!(text(&info!(clGetKernelInfo(k), CL_KERNEL_ATTRIBUTES)), "");
    code!(
        CL_KERNEL_ARG_INFO_NOT_AVAILABLE,
        clGetKernelArgInfo(k, 0, CL_KERNEL_ARG_NAME, 0, null_mut(), null_mut())
    );
    // A program with kernels cannot be built again.
    code!(CL_INVALID_OPERATION, clBuildProgram(p, 0, null(), null(), None, null_mut()));
    code!(CL_SUCCESS, clReleaseKernel(k));
    expect(&run(c, p, c"fill"), |i| 2 * i + 5);
    code!(CL_SUCCESS, clReleaseProgram(p));
    code!(CL_SUCCESS, clReleaseContext(c));
}

/// The builds of `runs` come from the disk cache.
fn cached() {
    runs();
    assert!(!mapped("libmuxcl_compiler"));
}

fn constants() {
    let c = context();
    let p = create(c, &il::fill(1));
    let set = |id: u32, value: &[u8]| {
        code!(
            CL_SUCCESS,
            clSetProgramSpecializationConstant(p, id, value.len(), value.as_ptr().cast())
        );
    };
    let at: *const c_void = [0_u64].as_ptr().cast();
    for unknown in [0, 1, il::FACTOR + 1, u32::MAX] {
        code!(CL_INVALID_SPEC_ID, clSetProgramSpecializationConstant(p, unknown, 4, at));
    }
    for (id, right) in [(il::FACTOR, 4), (il::ON, 1), (il::OFFSET, 8)] {
        for size in [0, 1, 2, 3, 4, 5, 8, 16, usize::MAX] {
            if size != right {
                code!(CL_INVALID_VALUE, clSetProgramSpecializationConstant(p, id, size, at));
            }
        }
        code!(CL_INVALID_VALUE, clSetProgramSpecializationConstant(p, id, right, null()));
    }
    // A refused call has no effect.
    build(p, c"");
    expect(&run(c, p, c"fill"), |i| 2 * i + 5);
    set(il::FACTOR, &3_u32.to_ne_bytes());
    expect(&run(c, p, c"fill"), |i| 2 * i + 5);
    build(p, c"");
    expect(&run(c, p, c"fill"), |i| 3 * i + 5);
    // Values persist, the last one counts, and later calls add others.
    set(il::OFFSET, &9_u64.to_ne_bytes());
    set(il::OFFSET, &(1_u64 << 32 | 8).to_ne_bytes());
    build(p, c"");
    expect(&run(c, p, c"fill"), |i| 3 * i + 8);
    set(il::ON, &[0]);
    build(p, c"");
    expect(&run(c, p, c"fill"), |_| 0);
    // Any value except zero is true.
    set(il::ON, &[2]);
    set(il::FACTOR, &0_u32.to_ne_bytes());
    compile(p);
    expect(&run(c, link(c, &[p]), c"fill"), |_| 8);
    // Another program from the same module has its own values.
    let other = create(c, &il::fill(1));
    build(other, c"");
    expect(&run(c, other, c"fill"), |i| 2 * i + 5);
    code!(CL_SUCCESS, clReleaseContext(c));
}

/// Language options of OpenCL C have no effect; options that are invalid for C are invalid for
/// SPIR-V.
fn options() {
    let c = context();
    let p = create(c, &il::fill(0));
    for options in [
        c"-cl-opt-disable",
        c"-cl-mad-enable -cl-fast-relaxed-math -cl-denorms-are-zero",
        c"-cl-std=CL1.1 -Werror -w -D fill=drain -I /nowhere -cl-single-precision-constant",
        c"-cl-std=CLC++2021",
        c"-cl-uniform-work-group-size -cl-kernel-arg-info -g",
    ] {
        build(p, options);
        expect(&run(c, p, c"fill"), |i| 2 * i + 5);
        let said = info!(clGetProgramBuildInfo(p, setup().device()), CL_PROGRAM_BUILD_OPTIONS);
        assert_eq!(said, options.to_bytes_with_nul());
    }
    code!(
        CL_INVALID_BUILD_OPTIONS,
        clBuildProgram(p, 0, null(), c"-bogus".as_ptr(), None, null_mut())
    );
    assert!(log(p).contains("-bogus"), "{}", log(p));
    let bogus = c"-create-library".as_ptr();
    code!(
        CL_INVALID_COMPILER_OPTIONS,
        clCompileProgram(p, 0, null(), bogus, 0, null(), null_mut(), None, null_mut())
    );
    // Partial work-groups are allowed with any -cl-std, unless the program forbids them.
    let linked = link(c, &[compile(create(c, &il::fill(0)))]);
    for (p, options, uniform) in
        [(p, c"", false), (p, c"-cl-uniform-work-group-size", true), (linked, c"", false)]
    {
        if p != linked {
            build(p, options);
        }
        let (q, k, out) = (
            make!(clCreateCommandQueueWithProperties(c, setup().device(), null())),
            kernel(p, c"fill"),
            buffer(c, ITEMS * 4),
        );
        code!(CL_SUCCESS, clSetKernelArg(k, 0, size_of::<cl_mem>(), (&raw const out).cast()));
        let (global, local) = (ITEMS, 16);
        let (global, local) = (&raw const global, &raw const local);
        let code = muxcl_test_api::cl!(clEnqueueNDRangeKernel(
            q,
            k,
            1,
            null(),
            global,
            local,
            0,
            null(),
            null_mut()
        ));
        assert_eq!(code, if uniform { CL_INVALID_WORK_GROUP_SIZE } else { CL_SUCCESS });
        code!(CL_SUCCESS, clFinish(q));
        code!(CL_SUCCESS, clReleaseKernel(k));
    }
    code!(CL_SUCCESS, clReleaseContext(c));
}

fn kind(p: cl_program) -> u64 {
    number(&info!(clGetProgramBuildInfo(p, setup().device()), CL_PROGRAM_BINARY_TYPE))
}

fn binaries() {
    let c = context();
    let d = setup().device();
    let p = create(c, &il::fill(0));
    build(p, c"");
    assert_eq!(kind(p), u64::from(CL_PROGRAM_BINARY_TYPE_EXECUTABLE));
    let again = muxcl_test_api::program_from(c, &[d], &program_binary(p));
    assert_eq!(info!(clGetProgramInfo(again), CL_PROGRAM_IL), [], "it was made of a binary");
    build(again, c"");
    expect(&run(c, again, c"fill"), |i| 2 * i + 5);
    // A linked object of the importer, which links with the exporter as if both were new.
    let (importer, exporter) =
        (compile(create(c, &il::importer())), compile(create(c, &il::exporter())));
    assert_eq!(kind(importer), u64::from(CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT));
    let object = muxcl_test_api::program_from(c, &[d], &program_binary(importer));
    expect(&run(c, link(c, &[object, exporter]), c"fill"), |i| 2 * i);
    code!(CL_SUCCESS, clReleaseContext(c));
}

fn linking() {
    let c = context();
    let (importer, exporter) =
        (compile(create(c, &il::importer())), compile(create(c, &il::exporter())));
    expect(&run(c, link(c, &[importer, exporter]), c"fill"), |i| 2 * i);
    // With OpenCL C on either side.
    let scale = compile(of_c(c, c"uint scale(uint x) { return x * x; }"));
    expect(&run(c, link(c, &[importer, scale]), c"fill"), |i| i * i);
    let user = compile(of_c(
        c,
        c"uint scale(uint x); kernel void use(global uint *out) { out[get_global_id(0)] = scale(get_global_id(0)) + 1; }",
    ));
    expect(&run(c, link(c, &[user, exporter]), c"use"), |i| 2 * i + 1);
    // Through a library.
    let options = c"-create-library".as_ptr();
    let library =
        make!(clLinkProgram(c, 0, null(), options, 1, &raw const exporter, None, null_mut()));
    expect(&run(c, link(c, &[library, user]), c"use"), |i| 2 * i + 1);
    // An import that no module exports, and one that two modules export.
    let alone = errcode!(
        CL_LINK_PROGRAM_FAILURE,
        clLinkProgram(c, 0, null(), null(), 1, &raw const importer, None, null_mut())
    );
    assert!(log(alone).contains("scale"), "{}", log(alone));
    let twice = [importer, exporter, scale];
    let twice = errcode!(
        CL_LINK_PROGRAM_FAILURE,
        clLinkProgram(c, 0, null(), null(), 3, twice.as_ptr(), None, null_mut())
    );
    assert!(log(twice).contains("scale"), "{}", log(twice));
    let p = create(c, &il::importer());
    code!(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(p, 0, null(), null(), None, null_mut()));
    assert!(log(p).contains("scale"), "{}", log(p));
    code!(CL_SUCCESS, clReleaseContext(c));
}

/// Well-formed modules that require features which the device lacks.
fn refused() {
    let c = context();
    let has = info!(clGetDeviceInfo(setup().device()), CL_DEVICE_SPIRV_CAPABILITIES_KHR);
    let has: Vec<u64> = has.chunks(4).map(number).collect();
    let mut seen = [0, 0];
    for capability in (0..100).chain(4000..7000).filter_map(Capability::from_u32) {
        let number = capability as u32;
        let p = create(c, &il::fill_with(0, &[number]));
        if has.contains(&u64::from(number)) {
            // A supported capability may be declared.
            assert_eq!(compile_code(p), CL_SUCCESS, "{capability:?}: {}", log(p));
            seen[1] += 1;
        } else if seen[0] < 20 {
            code!(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(p, 0, null(), null(), None, null_mut()));
            assert_eq!(status(p), CL_BUILD_ERROR);
            assert!(log(p).contains(&format!("{capability:?}")), "{}", log(p));
            code!(
                CL_COMPILE_PROGRAM_FAILURE,
                clCompileProgram(p, 0, null(), null(), 0, null(), null_mut(), None, null_mut())
            );
            seen[0] += 1;
        }
        code!(CL_SUCCESS, clReleaseProgram(p));
    }
    assert_eq!(seen, [20, has.len()]);
    code!(CL_SUCCESS, clReleaseContext(c));
}

static TOLD: AtomicUsize = AtomicUsize::new(0);

unsafe extern "C" fn told(p: cl_program, _: *mut c_void) {
    assert_ne!(status(p), muxcl_cl_sys::CL_BUILD_IN_PROGRESS);
    TOLD.fetch_add(1, Ordering::Release);
}

/// Launches a kernel of a buffer of numbers, and returns them and the result of the enqueue.
fn launch(
    c: cl_context,
    (p, name): (cl_program, &CStr),
    mut data: Vec<u32>,
    (global, local): (usize, Option<usize>),
) -> (cl_int, Vec<u32>) {
    let bytes = data.len() * 4;
    let (k, mem) = (kernel(p, name), buffer(c, bytes));
    let q = make!(clCreateCommandQueueWithProperties(c, setup().device(), null()));
    code!(CL_SUCCESS, clSetKernelArg(k, 0, size_of::<cl_mem>(), (&raw const mem).cast()));
    let at = data.as_mut_ptr().cast();
    code!(CL_SUCCESS, clEnqueueWriteBuffer(q, mem, CL_TRUE, 0, bytes, at, 0, null(), null_mut()));
    let local = local.as_ref().map_or(null(), std::ptr::from_ref);
    let global = &raw const global;
    let result = muxcl_test_api::cl!(clEnqueueNDRangeKernel(
        q,
        k,
        1,
        null(),
        global,
        local,
        0,
        null(),
        null_mut()
    ));
    code!(CL_SUCCESS, clEnqueueReadBuffer(q, mem, CL_TRUE, 0, bytes, at, 0, null(), null_mut()));
    code!(CL_SUCCESS, clReleaseKernel(k));
    code!(CL_SUCCESS, clReleaseMemObject(mem));
    code!(CL_SUCCESS, clReleaseCommandQueue(q));
    (result, data)
}

fn named_barriers() {
    let (c, d) = (context(), setup().device());
    assert!(number(&info!(clGetDeviceInfo(d), CL_DEVICE_MAX_NAMED_BARRIER_COUNT_KHR)) >= 8);
    let p = create(c, &assemble::assemble(NAMED_BARRIERS));
    build(p, c"");
    let k = kernel(p, c"k");
    let mut count = 0_usize;
    code!(
        CL_SUCCESS,
        clGetKernelSubGroupInfo(
            k,
            d,
            CL_KERNEL_COMPILE_NUM_SUB_GROUPS,
            0,
            null(),
            size_of::<usize>(),
            (&raw mut count).cast(),
            null_mut()
        )
    );
    assert_eq!(count, 3);
    for local in [Some(48), None] {
        let (code, result) = launch(c, (p, c"k"), vec![0; 96], (96, local));
        assert_eq!(code, CL_SUCCESS);
        assert!(result.iter().zip(0..).all(|(x, i)| *x == if i % 48 < 32 { 1 } else { 2 }));
    }
    for local in [16, 32, 96] {
        let (code, _) = launch(c, (p, c"k"), vec![0; 96], (96, Some(local)));
        assert_eq!(code, CL_INVALID_WORK_GROUP_SIZE, "{local}");
    }
}

fn pipe_storage() {
    let c = context();
    let p = create(c, &assemble::assemble(PIPE_STORAGE));
    build(p, c"");
    let one = (1, Some(1));
    for number in 0..9 {
        let (code, data) = launch(c, (p, c"put"), vec![100 + number, 7], one);
        // The pipe has room for eight packets.
        assert_eq!((code, data[1]), (CL_SUCCESS, if number < 8 { 0 } else { u32::MAX }));
    }
    for number in 0..9 {
        let (code, data) = launch(c, (p, c"get"), vec![1, 7], one);
        let expected = if number < 8 { [100 + number, 0] } else { [1, u32::MAX] };
        assert_eq!((code, &data[..]), (CL_SUCCESS, &expected[..]));
    }
    for bad in ["OpConstantPipeStorage %storage 0 4 8", "OpConstantPipeStorage %storage 6 4 8"] {
        let text = PIPE_STORAGE.replace("OpConstantPipeStorage %storage 4 4 8", bad);
        let p = create(c, &assemble::assemble(&text));
        code!(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(p, 0, null(), null(), None, null_mut()));
        assert!(log(p).contains("pipe"), "{}", log(p));
    }
}

fn untyped_pointers() {
    let c = context();
    let p = create(c, &assemble::assemble(UNTYPED_POINTERS));
    build(p, c"");
    let data: Vec<u32> = (0..64).map(|n| 3 * n).collect();
    let (code, result) = launch(c, (p, c"k"), data.clone(), (32, Some(16)));
    assert_eq!(code, CL_SUCCESS);
    for (old, new) in data.chunks(2).zip(result.chunks(2)) {
        assert_eq!(new, [old[0] + 100, old[1] + old[0]]);
    }
}

fn asynchronous() {
    let c = context();
    let p = create(c, &il::fill(0));
    let (four, nine) = (4_u32, 9_u32);
    code!(
        CL_SUCCESS,
        clSetProgramSpecializationConstant(p, il::FACTOR, 4, (&raw const four).cast())
    );
    code!(CL_SUCCESS, clBuildProgram(p, 0, null(), null(), Some(told), null_mut()));
    // The build in progress uses the values from its start.
    code!(
        CL_SUCCESS,
        clSetProgramSpecializationConstant(p, il::FACTOR, 4, (&raw const nine).cast())
    );
    let start = Instant::now();
    while TOLD.load(Ordering::Acquire) == 0 {
        assert!(start.elapsed() < Duration::from_secs(60));
        std::thread::yield_now();
    }
    expect(&run(c, p, c"fill"), |i| 4 * i + 5);
    code!(CL_SUCCESS, clReleaseContext(c));
}

/// A module is refused if memory for reading it is missing. The next module is accepted.
fn large() {
    let c = context();
    // OpNop
    let module = [il::fill(0), [0, 0, 1, 0].repeat(4 << 20)].concat();
    let (at, length) = (module.as_ptr().cast(), module.len());
    limit_memory(Some(64 << 20));
    fails!(CL_OUT_OF_HOST_MEMORY, clCreateProgramWithIL(c, at, length));
    let small = il::fill(0);
    let p = create(c, &small);
    limit_memory(None);
    code!(CL_SUCCESS, clReleaseProgram(p));
    let p = create(c, &module);
    build(p, c"");
    expect(&run(c, p, c"fill"), |i| 2 * i + 5);
    code!(CL_SUCCESS, clReleaseContext(c));
}
