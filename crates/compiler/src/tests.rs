//! Requests end to end: bytes in, bytes out.

use crate::{STATUS_BUG, STATUS_OK, STATUS_UNREADABLE, handle};
use muxcl_compiler_abi::{
    ABI_VERSION, Dependency, Envelope, FailureKind, Header, Request, Response, Source,
};
use muxcl_types::container::{Binary, BinaryKind};
use muxcl_types::device::{DeviceDesc, HalTarget};
use muxcl_types::program::{AddressQualifier, ArgKind};
use muxcl_types::variant::{ElfMeta, NOTE_SECTION, SpecializationKey, Variant};
use std::borrow::Cow;

fn device() -> DeviceDesc {
    let list = |names: &[&str]| names.iter().map(|&s| s.to_owned()).collect();
    DeviceDesc {
        id: "host-x86_64".into(),
        cpu: String::new(),
        features: String::new(),
        address_bits: 64,
        extensions: list(&[
            "cl_khr_fp64",
            "cl_khr_global_int32_base_atomics",
            "cl_khr_local_int32_base_atomics",
        ]),
        c_features: list(&[
            "__opencl_c_int64",
            "__opencl_c_fp64",
            "__opencl_c_generic_address_space",
            "__opencl_c_program_scope_global_variables",
        ]),
        images: false,
        max_work_group_size: 1024,
        local_mem_bytes: 32768,
        requirements: muxcl_types::device::ContextRequirements::default(),
        vecz: muxcl_types::device::Vecz::Off,
        hal: None,
    }
}

fn ask(request: Request<'_>) -> Response {
    let bytes = postcard::to_stdvec(&Envelope::new(request)).unwrap();
    let (status, answer) = handle(&bytes);
    let response = postcard::from_bytes(&answer).unwrap();
    let bug = matches!(response, Response::Failure { kind: FailureKind::Internal, .. });
    assert_eq!(status, if bug { STATUS_BUG } else { STATUS_OK });
    response
}

fn build(source: &str, options: &str) -> Response {
    ask(Request::Build { device: device(), source: Source::of_c(source), options: options.into() })
}

fn compile(source: &str) -> Vec<u8> {
    let request =
        Request::Compile { device: device(), source: Source::of_c(source), options: String::new() };
    module(ask(request)).0
}

fn link(modules: &[Vec<u8>], options: &str) -> Response {
    ask(Request::Link { device: device(), modules: modules.to_vec(), options: options.into() })
}

fn module(response: Response) -> (Vec<u8>, String, Vec<Dependency>) {
    match response {
        Response::Module { binary, log, dependencies } => (binary, log, dependencies),
        Response::Failure { log, .. } => panic!("{log}"),
        _ => panic!("no module"),
    }
}

fn executable(response: Response) -> Binary {
    let binary = Binary::from_bytes(&module(response).0).unwrap();
    assert_eq!(binary.kind, BinaryKind::Executable);
    binary
}

fn failure(response: Response) -> (FailureKind, String) {
    match response {
        Response::Failure { kind, log } => (kind, log),
        Response::Module { log, .. } => panic!("succeeded: {log}"),
        _ => panic!("no failure"),
    }
}

#[test]
fn kernels_and_their_arguments_are_described() {
    let source = "
        typedef struct { char a; double b; } pair;
        __attribute__((reqd_work_group_size(8, 4, 1))) __attribute__((vec_type_hint(uint4)))
        kernel void first(global const float *restrict in, local float4 *scratch, constant int *table,
                          float3 v, uchar c, pair p, volatile global uint *counter) {
            local float own[100];
            own[c] = in[0]; barrier(CLK_LOCAL_MEM_FENCE);
            scratch[0].x = own[table[0]] + v.x + p.a; atomic_inc(counter);
        }
        kernel void second(void) {}";
    let info = executable(build(source, "")).info;
    let names: Vec<&str> = info.kernels.iter().map(|k| k.name.as_str()).collect();
    assert_eq!(names, ["first", "second"]);
    let first = info.kernel("first").unwrap();
    let shown: Vec<_> = first
        .args
        .iter()
        .map(|a| (a.kind, a.size, a.align, a.name.as_str(), a.type_name.as_str()))
        .collect();
    assert_eq!(
        shown,
        [
            (ArgKind::GlobalPointer, 8, 4, "in", "float*"),
            (ArgKind::LocalPointer, 8, 16, "scratch", "float4*"),
            (ArgKind::ConstantPointer, 8, 4, "table", "int*"),
            (ArgKind::Value, 16, 16, "v", "float3"),
            (ArgKind::Value, 1, 1, "c", "uchar"),
            (ArgKind::Value, 16, 8, "p", "pair"),
            (ArgKind::GlobalPointer, 8, 4, "counter", "uint*"),
        ]
    );
    let bits: Vec<u32> = first.args.iter().map(|a| a.type_qualifiers).collect();
    assert_eq!(bits, [3, 0, 1, 0, 0, 0, 4]);
    assert_eq!(first.args[2].address, AddressQualifier::Constant);
    assert_eq!(first.reqd_work_group_size, [8, 4, 1]);
    assert_eq!(first.vec_type_hint, "uint4");
    assert_eq!(first.attributes, "vec_type_hint(uint4) reqd_work_group_size(8,4,1)");
    assert_eq!(first.local_bytes, 512); // 400, in steps of 128
    assert!(first.has_barrier && info.uniform_work_groups);
    let second = info.kernel("second").unwrap();
    assert!(second.args.is_empty() && second.local_bytes == 0 && !second.has_barrier);
}

/// A fatal error of LLVM must not unwind C++ frames without running their destructors.
#[test]
fn a_fatal_error_of_llvm_fails_its_request_and_the_next_build_works() {
    // The back ends have no assembler, so emitting inline assembly is a fatal error. clang refuses
    // inline assembly, so the test adds it to the bitcode.
    let good = "kernel void f(global int *p) { p[get_global_id(0)] = 1; }";
    let mut fatal = executable(build(good, ""));
    let context = muxcl_llvm::Context::new();
    let ir = muxcl_llvm::Module::parse(&context, &fatal.bitcode).unwrap().to_string();
    let ir = ir.replacen("ret void", "call void asm sideeffect \"bogus\", \"\"()\n  ret void", 1);
    fatal.bitcode = muxcl_llvm::Module::parse_text(&context, &ir).unwrap().to_bitcode();
    for _ in 0..3 {
        let (kind, log) = failure(specialise(&fatal, "f", SpecializationKey::default()));
        assert_eq!(kind, FailureKind::Internal);
        assert!(log.contains("internal compiler error") && log.contains("asm"), "{log}");
        let next = specialise(&executable(build(good, "")), "f", SpecializationKey::default());
        assert!(matches!(next, Response::Elf { .. }));
    }
}

#[test]
fn errors_come_with_their_kind_and_log() {
    let (kind, log) = failure(build("kernel void f() { int x = y; }", ""));
    assert_eq!(kind, FailureKind::Source);
    assert!(log.contains("<program source>:1:27: error:") && log.contains('^'), "{log}");
    let (kind, log) = failure(build("kernel void f() {}", "-w -cl-foo"));
    assert_eq!(kind, FailureKind::Options);
    assert!(log.contains("'-cl-foo'"), "{log}");
    let (kind, log) = failure(build("int g(); kernel void f(global int *p) { *p = g(); }", ""));
    assert_eq!(kind, FailureKind::Link);
    assert_eq!(log, "error: undefined symbol 'g'\n");
    let (kind, log) =
        failure(build("kernel void big() { local int a[10000]; a[get_local_id(0)] = 1; }", ""));
    assert_eq!(kind, FailureKind::Resources);
    assert!(log.contains("'big'") && log.contains("needs 40") && log.contains("32768"), "{log}");
}

/// A RISC-V device with this calling convention and linker script.
fn hal_device(isa: &str, abi: &str, linker_script: &str) -> DeviceDesc {
    let hal = HalTarget {
        isa: isa.into(),
        abi: abi.into(),
        vlen: 128,
        linker_script: linker_script.into(),
        ..HalTarget::default()
    };
    DeviceDesc { id: "riscv64".into(), hal: Some(hal), ..device() }
}

#[test]
fn a_device_that_no_program_can_be_linked_for_is_a_build_error() {
    let build = |device| {
        let source = Source::of_c("kernel void f(global int *p) { *p = 1; }");
        ask(Request::Build { device, source, options: String::new() })
    };
    for script in
        ["SECTIONS { .text : { *(.text) ", "SECTIONS { . = nowhere + 4; }", "INCLUDE no.ld"]
    {
        for _ in 0..2 {
            let (kind, log) = failure(build(hal_device("RV64GC", "lp64d", script)));
            assert_eq!(kind, FailureKind::Link, "{log}");
            assert!(log.starts_with("error: the device's linker script cannot be used: "), "{log}");
            assert!(log.contains("linker script:") || log.contains("nowhere"), "{log}");
        }
    }
    let good = "SECTIONS { . = 0x10000; .text : { *(.text .text.*) } \
        .data : { *(.data .data.* .sdata .sdata.* .bss .bss.* .sbss .sbss.*) } }";
    executable(build(hal_device("RV64GC", "lp64d", good)));
    for (isa, abi) in [("RV64IMAC", "lp64d"), ("RV64IMAFC", "lp64d"), ("RV64GC", "ilp32")] {
        let (kind, log) = failure(build(hal_device(isa, abi, "")));
        assert_eq!(kind, FailureKind::Resources);
        let why =
            format!("the calling convention '{abi}' does not fit the instruction set '{isa}'");
        assert!(log.contains(&why), "{log}");
    }
}

#[test]
fn warnings_are_in_the_log_of_a_success() {
    let (_, log, _) = module(build("int g() {} kernel void f(global int *p) { *p = g(); }", ""));
    assert!(log.contains("warning:"), "{log}");
}

#[test]
fn objects_and_libraries_link() {
    let main = compile("int helper(int); kernel void f(global int *p) { *p = helper(*p); }");
    let helper = compile("int deep(int); int helper(int x) { return deep(x) + 1; }");
    let deep = compile("int deep(int x) { return x * 3; }");
    assert_eq!(Binary::from_bytes(&main).unwrap().kind, BinaryKind::CompiledObject);
    let all = executable(link(&[main.clone(), helper.clone(), deep.clone()], ""));
    assert_eq!(all.info.kernels.len(), 1);
    let library = module(link(&[helper.clone(), deep], "-create-library")).0;
    assert_eq!(Binary::from_bytes(&library).unwrap().kind, BinaryKind::Library);
    assert_eq!(
        executable(link(&[main.clone(), library], "-cl-fast-relaxed-math")).info.kernels.len(),
        1
    );
    let (kind, log) = failure(link(&[main.clone(), helper], ""));
    assert_eq!((kind, log.as_str()), (FailureKind::Link, "error: undefined symbol 'deep'\n"));
    let (kind, log) = failure(link(&[main.clone(), main], ""));
    assert_eq!(kind, FailureKind::Link);
    assert!(log.contains("'f' is defined more than once: by the input programs 1, 2"), "{log}");
    assert_eq!(failure(link(&[], "")).0, FailureKind::Link);
}

#[test]
fn static_functions_of_the_same_name_do_not_clash() {
    let a = compile(
        "static int h(int x) { return x + 1; } kernel void a(global int *p) { *p = h(*p); }",
    );
    let b = compile(
        "static int h(int x) { return x * 2; } kernel void b(global int *p) { *p = h(*p); }",
    );
    assert_eq!(executable(link(&[a, b], "")).info.kernels.len(), 2);
}

#[test]
fn what_is_no_object_is_refused() {
    let object = compile("int f() { return 1; }");
    let mut damaged = object.clone();
    let middle = damaged.len() / 2;
    damaged[middle] ^= 1;
    for bad in [damaged, object[..object.len() - 1].to_vec(), Vec::new(), b"\x7fELF".to_vec()] {
        let (kind, log) = failure(link(&[object.clone(), bad], ""));
        assert_eq!(kind, FailureKind::Module);
        assert!(log.contains("input program 2"), "{log}");
    }
    let finished = module(build("kernel void f() {}", "")).0;
    assert_eq!(failure(link(&[finished], "")).0, FailureKind::Module);
    let mut foreign = Binary::from_bytes(&object).unwrap();
    foreign.target = "riscv64".into();
    assert!(failure(link(&[foreign.to_bytes()], "")).1.contains("'riscv64'"));
    assert_eq!(failure(link(&[object], "-w")).0, FailureKind::Options);
}

#[test]
fn headers_and_files_are_used() {
    let request = Request::Compile {
        device: device(),
        source: Source::OpenClC {
            text: b"#include \"dir/a.h\"\nkernel void f(global int *p) { *p = A; }".to_vec(),
            headers: vec![Header { name: "dir/a.h".into(), text: b"#define A 1\n".to_vec() }],
        },
        options: String::new(),
    };
    let (_, log, dependencies) = module(ask(request));
    assert_eq!(log, "");
    assert_eq!(dependencies, []);
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("h.h"), "#define A 2\n").unwrap();
    let response = build(
        "#include \"h.h\"\nkernel void f(global int *p) { *p = A; }",
        &format!("-I {}", dir.path().display()),
    );
    let (_, _, dependencies) = module(response);
    let found = dependencies.iter().find(|d| d.path.ends_with("/h.h") && d.hash.is_some());
    assert!(found.is_some(), "{dependencies:?}");
}

#[test]
fn the_same_request_gives_the_same_bytes_on_any_thread() {
    let source = "kernel void f(global float *x, local float *y) { size_t i = get_global_id(0); y[i] = sin(x[i]); barrier(1); x[i] = y[i ^ 1]; }";
    let expected = module(build(source, "")).0;
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..5 {
                    assert!(module(build(source, "")).0 == expected);
                }
            });
        }
    });
}

fn specialise(binary: &Binary, kernel: &str, key: SpecializationKey) -> Response {
    ask(Request::Specialise {
        device: device(),
        bitcode: Cow::Borrowed(&binary.bitcode),
        info: binary.info.clone(),
        options: binary.options.clone(),
        kernel: kernel.into(),
        key,
    })
}

fn generic(binary: &Binary) -> Response {
    ask(Request::Generic {
        device: device(),
        bitcode: Cow::Borrowed(&binary.bitcode),
        info: binary.info.clone(),
        options: binary.options.clone(),
    })
}

fn elf(response: Response) -> Vec<u8> {
    match response {
        Response::Elf { elf } => elf,
        Response::Failure { log, .. } => panic!("{log}"),
        _ => panic!("no ELF"),
    }
}

fn variants(elf: &[u8]) -> Vec<Variant> {
    let note = muxcl_elf_loader::section_of(elf, NOTE_SECTION).unwrap().unwrap();
    ElfMeta::from_note(note).unwrap().variants
}

const TWO_KERNELS: &str = "
    int twice(int x) { return x * 2; }
    kernel void a(global int *p, local int *q) {
        size_t i = get_local_id(0);
        q[i] = p[get_global_id(0)]; barrier(CLK_LOCAL_MEM_FENCE);
        p[get_global_id(0)] = twice(q[get_local_size(0) - 1 - i]);
    }
    kernel void b(global float *p) { local float s[4]; s[get_local_id(0) & 3] = *p; *p = sin(s[0]); }";

#[test]
fn kernels_become_objects_with_their_variants() {
    let binary = executable(build(TWO_KERNELS, ""));
    let key = SpecializationKey {
        local_size: Some([64, 1, 1]),
        zero_offset: true,
        uniform: true,
        ..SpecializationKey::default()
    };
    let one = variants(&elf(specialise(&binary, "a", key)));
    assert_eq!(one.len(), 1);
    assert_eq!((one[0].kernel.as_str(), one[0].key, one[0].packed_bytes), ("a", key, 16));
    let all = variants(&elf(generic(&binary)));
    let names: Vec<&str> = all.iter().map(|v| v.kernel.as_str()).collect();
    assert_eq!(names, ["a", "b"]);
    assert!(all.iter().all(|v| v.key.local_size.is_none()));
    assert!(all[1].local_bytes >= 16);
    assert_eq!(failure(specialise(&binary, "c", key)).0, FailureKind::Module);
}

#[test]
fn damaged_bitcode_is_refused() {
    let mut binary = executable(build(TWO_KERNELS, ""));
    for bad in [Vec::new(), b"BC\xc0\xde".to_vec(), vec![7; 500]] {
        binary.bitcode = bad;
        assert_eq!(failure(generic(&binary)).0, FailureKind::Module);
        assert_eq!(
            failure(specialise(&binary, "a", SpecializationKey::default())).0,
            FailureKind::Module
        );
    }
}

#[test]
fn objects_are_the_same_every_time() {
    let source = "
        global int counter; constant int table[4] = {1, 2, 3, 4};
        kernel void a(global int *p) {
            local int x[3], y[5], z[7]; private int t[8];
            size_t i = get_local_id(0);
            x[i % 3] = p[i]; y[i % 5] = p[i + 1]; z[i % 7] = table[i & 3]; t[i & 7] = p[i];
            barrier(CLK_LOCAL_MEM_FENCE);
            p[i] = x[0] + y[0] + z[0] + t[p[0] & 7] + atomic_inc((volatile global int *)&counter);
        }
        kernel void b(global int *p) { p[get_global_id(0)] = counter; }";
    let make = || {
        let binary = executable(build(source, "-cl-std=CL3.0"));
        let key =
            SpecializationKey { local_size: Some([32, 1, 1]), ..SpecializationKey::default() };
        (elf(generic(&binary)), elf(specialise(&binary, "a", key)), binary)
    };
    let expected = make();
    assert!(!expected.2.globals_elf.is_empty());
    assert_eq!(expected.2.info.global_variable_bytes, 4);
    let garbage: Vec<Vec<u8>> = (0..50).map(|n| vec![1; 100 * n]).collect(); // shakes the allocator
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                for _ in 0..4 {
                    assert!(make() == expected);
                }
            });
        }
    });
    drop(garbage);
}

#[test]
fn the_sum_of_local_variables_does_not_overflow() {
    let mut source = "kernel void k(global int *p) {".to_owned();
    for n in 0..9 {
        source += &format!("local char a{n}[0x1fffffffffffffff]; a{n}[p[0]] = p[{n}];");
    }
    source += "barrier(CLK_LOCAL_MEM_FENCE);";
    for n in 0..9 {
        source += &format!("p[{n}] = a{n}[p[1]];");
    }
    let (_, log) = failure(build(&(source + "}"), ""));
    assert!(log.contains("kernel 'k' needs 18446744073709551615 bytes of local memory"), "{log}");
}

#[test]
fn library_objects_keep_their_promises() {
    let request = |options: &str| Request::Compile {
        device: device(),
        source: Source::of_c("kernel void f(global float *p) { *p *= 2; }"),
        options: options.into(),
    };
    for (options, denorms, uniform) in [
        ("", false, true),
        ("-cl-denorms-are-zero", true, true),
        ("-cl-std=CL3.0", false, false),
        ("-cl-std=CL2.0 -cl-uniform-work-group-size", false, true),
    ] {
        let object = module(ask(request(options))).0;
        let library = module(link(&[object], "-create-library")).0;
        let info = executable(link(&[library], "")).info;
        assert_eq!(
            (info.denorms_are_zero, info.uniform_work_groups),
            (denorms, uniform),
            "{options}"
        );
    }
}

#[test]
fn a_link_keeps_opt_disable_of_its_objects() {
    let source = b"kernel void f(global float *p) { for (int i = 0; i < 4; ++i) p[i] *= 2; }";
    let compile = |options: &str| Request::Compile {
        device: device(),
        source: Source::of_c(source),
        options: options.into(),
    };
    let linked = |options: &str| executable(link(&[module(ask(compile(options))).0], ""));
    let (plain, slow) = (linked(""), linked("-cl-opt-disable"));
    assert!(!plain.info.opt_disable && slow.info.opt_disable);
    // The specialised code follows: with optimisation the loop is unrolled or vectorized.
    assert_ne!(
        elf(specialise(&plain, "f", SpecializationKey::default())),
        elf(specialise(&slow, "f", SpecializationKey::default()))
    );
}

/// `kernel void k() {}` in SPIR-V 1.0, with addresses of `addressing` bits and one additional
/// capability.
fn module_in_il(addressing: u32, capability: u32) -> Vec<u8> {
    const KERNEL: u32 = 6;
    let instructions: [(u32, &[u32]); 12] = [
        (17, &[4]),          // OpCapability Addresses
        (17, &[KERNEL]),     // OpCapability Kernel
        (17, &[capability]), // OpCapability
        // OpMemoryModel Physical32 or Physical64, OpenCL
        (14, &[addressing / 32, 2]),
        (15, &[KERNEL, 3, u32::from_le_bytes(*b"k\0\0\0")]), // OpEntryPoint Kernel %3 "k"
        (19, &[1]),                                          // %1 = OpTypeVoid
        (33, &[2, 1]),                                       // %2 = OpTypeFunction %1
        (54, &[1, 3, 0, 2]),                                 // %3 = OpFunction %1 None %2
        (248, &[4]),                                         // %4 = OpLabel
        (253, &[]),                                          // OpReturn
        (56, &[]),                                           // OpFunctionEnd
        (0, &[]),                                            // OpNop
    ];
    let mut words = vec![0x0723_0203, 0x0001_0000, 0, 5, 0];
    for (op, operands) in instructions {
        words.push((1 + u32::try_from(operands.len()).unwrap()) << 16 | op);
        words.extend(operands);
    }
    words.into_iter().flat_map(u32::to_le_bytes).collect()
}

fn build_il(device: DeviceDesc, il: Vec<u8>, options: &str) -> Response {
    ask(Request::Build {
        device,
        source: Source::SpirV { il, constants: Vec::new() },
        options: options.into(),
    })
}

#[test]
fn modules_in_il_are_programs() {
    let device = || DeviceDesc { extensions: vec!["cl_khr_il_program".into()], ..device() };
    let binary =
        executable(build_il(device(), module_in_il(64, 5), "-cl-std=CL1.1 -cl-mad-enable"));
    assert_eq!(binary.info.kernels.len(), 1);
    assert_eq!(binary.info.kernels[0].name, "k");
    assert!(!binary.info.uniform_work_groups, "groups are uniform only where the options say so");
    assert!(
        executable(build_il(device(), module_in_il(64, 5), "-cl-uniform-work-group-size"))
            .info
            .uniform_work_groups
    );
    let log = |device: DeviceDesc, il: Vec<u8>| {
        let (kind, log) = failure(build_il(device, il, ""));
        assert_eq!(kind, FailureKind::Source);
        assert!(log.starts_with("error: ") && log.ends_with('\n'), "{log}");
        log
    };
    assert!(
        log(DeviceDesc { extensions: Vec::new(), ..device() }, module_in_il(64, 5))
            .contains("intermediate language")
    );
    assert!(log(device(), module_in_il(64, 10)).contains("Float64: the device lacks cl_khr_fp64"));
    assert!(log(device(), module_in_il(64, 1)).contains("Shader"));
    assert!(log(device(), module_in_il(32, 5)).contains("32 bits"));
    assert!(log(device(), Vec::new()).contains("SPIR-V"));
    assert!(log(device(), b"kernel void f() {}".to_vec()).contains("magic number"));
    let whole = module_in_il(64, 5);
    assert!(log(device(), whole[..whole.len() - 8].to_vec()).contains("OpFunctionEnd"));
    // SPIR-V ignores an unknown language version, but an unknown option is an error.
    let odd = executable(build_il(device(), whole.clone(), "-cl-std=CLC++2021 -cl-opt-disable"));
    assert!(odd.info.opt_disable);
    assert_eq!(failure(build_il(device(), whole, "-bogus")).0, FailureKind::Options);
}

#[test]
fn garbage_requests_are_refused() {
    assert_eq!(handle(b"").0, STATUS_UNREADABLE);
    assert_eq!(handle(&[0xff; 64]).0, STATUS_UNREADABLE);
    let good = postcard::to_stdvec(&Envelope::new(Request::About)).unwrap();
    assert_eq!(handle(&good).0, STATUS_OK);
    let other = postcard::to_stdvec(&Envelope {
        abi_version: ABI_VERSION + 1,
        ..Envelope::new(Request::About)
    })
    .unwrap();
    assert_eq!(handle(&other).0, STATUS_UNREADABLE);
    let build = Request::Build {
        device: device(),
        source: Source::of_c("kernel void f() {}"),
        options: String::new(),
    };
    let bytes = postcard::to_stdvec(&Envelope::new(build)).unwrap();
    for cut in 0..bytes.len() {
        assert_eq!(handle(&bytes[..cut]).0, STATUS_UNREADABLE, "{cut}");
    }
    let foreign = DeviceDesc { id: "riscv64".into(), ..device() };
    let response =
        ask(Request::Build { device: foreign, source: Source::of_c(""), options: String::new() });
    assert!(failure(response).1.contains("riscv64"));
}
