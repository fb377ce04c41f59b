//! The same client code on each device of both modules: the host and RefSi, through OpenCL and
//! directly.

use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context as _, Result, ensure};
use libtest_mimic::{Failed, Trial};
use muxcl_executor::{
    Code, Device, DeviceBuffer, Event, Executor, ExecutorError, Kernel, KernelInfo, KernelList,
    Library, Parameter, Place, SharedBuffer, direct, opencl, wait_all,
};
use muxcl_test_kernels::driver;

/// Work-items and elements of most tests.
const N: usize = 64;

/// A device with its module, and another device of any module.
struct Case {
    device: Arc<dyn Device>,
    other: Arc<dyn Device>,
    direct: bool,
}

type Test = fn(&Case) -> Result<()>;

const TESTS: &[(&str, Test)] = &[
    ("events_order_kernels", events_order_kernels),
    ("every_kind_of_parameter", every_kind_of_parameter),
    ("parameters_that_do_not_fit", parameters_that_do_not_fit),
    ("groups_that_do_not_fit", groups_that_do_not_fit),
    ("copies", copies),
    ("copies_that_are_refused", copies_that_are_refused),
    ("objects_of_another_device", objects_of_another_device),
    ("programs_that_do_not_build", programs_that_do_not_build),
    ("spirv_and_bitcode", spirv_and_bitcode),
    ("variables_of_the_program", variables_of_the_program),
    ("constructors_run_first", constructors_run_first),
    ("a_failure_fails_what_waits", a_failure_fails_what_waits),
    ("memory_dropped_while_in_use", memory_dropped_while_in_use),
];

fn main() -> ExitCode {
    for (name, value) in
        [("MUXCL_DEVICES", "host,hal"), ("CA_HAL_DEVICE", "refsi"), ("HAL_REFSI_SOC", "g1")]
    {
        // SAFETY: no thread has been started yet.
        unsafe { muxcl_client::set_variable(name, value) };
    }
    // SAFETY: as above.
    unsafe { driver::run(trials) }
}

fn trials() -> Result<Vec<Trial>> {
    // SAFETY: `CA_HAL_DEVICE` names RefSi's library, beside this test.
    let hal = unsafe { direct::hal() }?;
    let mut own = vec![direct::host()];
    own.extend(hal);
    ensure!(own.len() >= 2, "no RefSi among {own:?}");
    let listed = opencl::devices()?;
    ensure!(listed.len() >= 2, "no RefSi among {listed:?}");
    let mut all = Vec::new();
    for (module, devices) in [("direct", own), ("opencl", listed)] {
        for (i, device) in devices.iter().enumerate() {
            let other = &devices[(i + 1) % devices.len()];
            for (name, test) in TESTS {
                let case = Case {
                    device: Arc::clone(device),
                    other: Arc::clone(other),
                    direct: module == "direct",
                };
                let name = format!("{module}/{}/{name}", if i == 0 { "host" } else { "refsi" });
                let run = move || test(&case).map_err(|error| Failed::from(format!("{error:#}")));
                all.push(Trial::test(name, run));
            }
        }
    }
    Ok(all)
}

impl Case {
    fn is_refsi(&self) -> bool {
        self.device.name().contains("RefSi")
    }

    fn build(&self, code: &str, kernels: &[KernelInfo]) -> Result<Arc<dyn Library>, ExecutorError> {
        let code = Code::OpenClC(code.into());
        let list = KernelList { code, options: String::new(), kernels: kernels.to_vec() };
        self.device.compiler().build(list).wait()
    }

    /// The kernel `k` of `code`, over [`N`] work-items.
    fn kernel(&self, code: &str) -> Result<Box<dyn Kernel>, ExecutorError> {
        let library = self.build(code, &[KernelInfo::new("k", [N, 1, 1])])?;
        self.device.executor().prepare(&library, 0)
    }

    /// Device memory with these numbers, once the event has completed.
    fn memory(&self, numbers: &[u32]) -> Result<(Arc<dyn DeviceBuffer>, Arc<dyn Event>)> {
        let shared = SharedBuffer::new(size_of_val(numbers));
        fill(&shared, numbers)?;
        let executor = self.device.executor();
        let memory = executor.allocate(shared.bytes())?;
        let there =
            executor.copy(Place::shared(&shared), Place::device(&memory), shared.bytes(), &[])?;
        Ok((memory, there))
    }

    /// The numbers in device memory after an event.
    fn read(&self, memory: &Arc<dyn DeviceBuffer>, after: Arc<dyn Event>) -> Result<Vec<u32>> {
        let shared = SharedBuffer::new(memory.bytes());
        let executor = self.device.executor();
        let back = executor.copy(
            Place::device(memory),
            Place::shared(&shared),
            memory.bytes(),
            &[after],
        )?;
        Ok(numbers(&shared.map_current(&[back])?))
    }
}

fn fill(shared: &Arc<SharedBuffer>, numbers: &[u32]) -> Result<()> {
    let mut view = shared.map_discard(&[])?;
    for (bytes, number) in view.chunks_exact_mut(4).zip(numbers) {
        bytes.copy_from_slice(&number.to_ne_bytes());
    }
    Ok(())
}

fn numbers(bytes: &[u8]) -> Vec<u32> {
    let (words, _) = bytes.as_chunks::<4>();
    words.iter().map(|word| u32::from_ne_bytes(*word)).collect()
}

fn events_order_kernels(case: &Case) -> Result<()> {
    let code = "kernel void k(global uint *p, uint i) { p[get_global_id(0)] =
        p[get_global_id(0)] * 3 + i; }";
    let kernel = case.kernel(code)?;
    let (memory, mut last) = case.memory(&[1; N])?;
    let mut expected = 1_u32;
    for i in 0..40_u32 {
        let parameters = [Parameter::Buffer(&memory), Parameter::Value(&i.to_ne_bytes())];
        last = kernel.run(&parameters, &[last])?;
        expected = expected.wrapping_mul(3).wrapping_add(i);
    }
    wait_all(&[Arc::clone(&last)])?;
    ensure!(last.is_complete());
    let found = case.read(&memory, last)?;
    ensure!(found == [expected; N], "{found:?}, not {expected}");
    Ok(())
}

fn every_kind_of_parameter(case: &Case) -> Result<()> {
    let code = "kernel void k(global uint *out, constant uint *table, local uint *t, uint4 v,
                              uchar c) {
            size_t i = get_local_id(0);
            t[i] = table[i % 4] + v.w + c;
            barrier(CLK_LOCAL_MEM_FENCE);
            out[get_global_id(0)] = t[get_local_size(0) - 1 - i];
        }";
    let info = KernelInfo::new("k", [N, 1, 1]).in_groups([16, 1, 1]);
    let library = case.build(code, std::slice::from_ref(&info))?;
    ensure!(library.kernels() == [info]);
    let executor = case.device.executor();
    let kernel = executor.prepare(&library, 0)?;
    let (table, there) = case.memory(&[10, 20, 30, 40])?;
    let out = executor.allocate(4 * N)?;
    let vector: Vec<u8> = [1_u32, 2, 3, 4].iter().flat_map(|n| n.to_ne_bytes()).collect();
    let parameters = [
        Parameter::Buffer(&out),
        Parameter::Buffer(&table),
        Parameter::Local(64),
        Parameter::Value(&vector),
        Parameter::Value(&[100]),
    ];
    let found = case.read(&out, kernel.run(&parameters, &[there])?)?;
    let expected: Vec<u32> = (0..N).map(|i| [144, 134, 124, 114][i % 4]).collect();
    ensure!(found == expected, "{found:?}");
    Ok(())
}

fn parameters_that_do_not_fit(case: &Case) -> Result<()> {
    let kernel = case.kernel("kernel void k(global uint *p, uint n) { p[0] = n; }")?;
    let (memory, there) = case.memory(&[0; N])?;
    there.wait()?;
    let buffer = Parameter::Buffer(&memory);
    let bad: [(&[Parameter<'_>], usize); 4] = [
        (&[buffer], 1),
        (&[buffer, Parameter::Value(&[1, 2]), buffer], 2),
        (&[buffer, Parameter::Value(&[1, 2])], 1),
        (&[Parameter::Value(&[1, 2]), Parameter::Value(&[1, 2, 3, 4])], 0),
    ];
    for (parameters, at) in bad {
        let found = kernel.run(parameters, &[]).err();
        let named = matches!(&found, Some(ExecutorError::Parameter { kernel, index, .. })
            if kernel == "k" && *index == at);
        ensure!(named, "{parameters:?}: {found:?}");
    }
    let good = kernel.run(&[buffer, Parameter::Value(&7_u32.to_ne_bytes())], &[])?;
    ensure!(case.read(&memory, good)?[0] == 7);
    Ok(())
}

fn groups_that_do_not_fit(case: &Case) -> Result<()> {
    let code = "kernel void k(global uint *p) { p[get_global_id(0)] = 1; }
        kernel __attribute__((reqd_work_group_size(4, 1, 1))) void r(global uint *p) {
            p[get_global_id(0)] = get_local_size(0); }";
    let executor = case.device.executor();
    let memory = executor.allocate(4 * N)?;
    let large = KernelInfo::new("k", [1 << 20, 1, 1]).in_groups([1 << 20, 1, 1]);
    let other = KernelInfo::new("r", [N, 1, 1]).in_groups([8, 1, 1]);
    let empty = KernelInfo::new("k", [N, 1, 1]).in_groups([0, 1, 1]);
    for info in [large, other, empty] {
        // The direct module compiles for the size; a driver checks it at the launch.
        let result = case.build(code, std::slice::from_ref(&info)).and_then(|library| {
            executor.prepare(&library, 0)?.run(&[Parameter::Buffer(&memory)], &[]).map(|_| ())
        });
        let refused =
            matches!(&result, Err(ExecutorError::Groups { kernel, .. }) if *kernel == info.name);
        ensure!(refused, "{info:?}: {result:?}");
    }
    let library = case.build(code, &[KernelInfo::new("r", [N, 1, 1])])?;
    let done = executor.prepare(&library, 0)?.run(&[Parameter::Buffer(&memory)], &[])?;
    ensure!(case.read(&memory, done)? == [4; N]);
    Ok(())
}

fn copies(case: &Case) -> Result<()> {
    let executor = case.device.executor();
    let (first, there) = case.memory(&[1, 2, 3, 4, 5, 6, 7, 8])?;
    let (second, ready) = case.memory(&[0; 8])?;
    let (from, to) = (Place::Device(&first, 8), Place::Device(&second, 4));
    let moved = executor.copy(from, to, 16, &[there, ready])?;
    let shared = SharedBuffer::new(32);
    fill(&shared, &[9; 8])?;
    let back =
        executor.copy(Place::Device(&second, 4), Place::Shared(&shared, 12), 12, &[moved])?;
    let found = numbers(&shared.map_current(&[back])?);
    ensure!(found == [9, 9, 9, 3, 4, 5, 9, 9], "{found:?}");
    // Two copies to one shared buffer, and a map that names neither.
    executor.copy(Place::Device(&first, 0), Place::Shared(&shared, 0), 4, &[])?;
    executor.copy(Place::Device(&first, 4), Place::Shared(&shared, 28), 4, &[])?;
    let found = numbers(&shared.map_current(&[])?);
    ensure!(found == [1, 9, 9, 3, 4, 5, 9, 2], "{found:?}");
    Ok(())
}

fn copies_that_are_refused(case: &Case) -> Result<()> {
    let executor = case.device.executor();
    let (memory, there) = case.memory(&[7; 8])?;
    let shared = SharedBuffer::new(32);
    let (device, host) = (Place::device(&memory), Place::shared(&shared));
    let ranges = [
        (device, host, 0),
        (device, host, 33),
        (Place::Device(&memory, 32), host, 1),
        (host, Place::Device(&memory, usize::MAX), 4),
        (Place::Shared(&shared, 28), device, 8),
    ];
    for (from, to, bytes) in ranges {
        let found = executor.copy(from, to, bytes, &[]).err();
        ensure!(
            matches!(found, Some(ExecutorError::Size { .. })),
            "{from:?} {to:?} {bytes}: {found:?}"
        );
    }
    ensure!(executor.copy(host, host, 4, &[]).err() == Some(ExecutorError::OnHost));
    let view = shared.map_discard(&[])?;
    ensure!(executor.copy(device, host, 4, &[]).err() == Some(ExecutorError::Mapped));
    ensure!(shared.map_current(&[]).err() == Some(ExecutorError::Mapped));
    drop(view);
    let back = executor.copy(device, host, 32, &[there])?;
    ensure!(numbers(&shared.map_current(&[back])?) == [7; 8]);
    ensure!(matches!(executor.allocate(0).err(), Some(ExecutorError::Size { .. })));
    ensure!(matches!(executor.allocate(1 << 60).err(), Some(ExecutorError::Device(_))));
    Ok(())
}

fn objects_of_another_device(case: &Case) -> Result<()> {
    let other = Case {
        device: Arc::clone(&case.other),
        other: Arc::clone(&case.device),
        direct: case.direct,
    };
    let code = "kernel void k(global uint *p) { p[get_global_id(0)] = 1; }";
    let executor = case.device.executor();
    let (memory, there) = case.memory(&[0; N])?;
    let (foreign, elsewhere) = other.memory(&[0; N])?;
    let library = other.build(code, &[KernelInfo::new("k", [N, 1, 1])])?;
    let kernel = case.kernel(code)?;
    let shared = SharedBuffer::new(4 * N);
    let refused = [
        executor.prepare(&library, 0).err(),
        kernel.run(&[Parameter::Buffer(&foreign)], &[]).err(),
        kernel.run(&[Parameter::Buffer(&memory)], &[Arc::clone(&elsewhere)]).err(),
        executor.copy(Place::device(&foreign), Place::shared(&shared), 4, &[]).err(),
        executor.copy(Place::device(&memory), Place::device(&foreign), 4, &[]).err(),
        executor.copy(Place::device(&memory), Place::shared(&shared), 4, &[elsewhere]).err(),
    ];
    for (i, error) in refused.iter().enumerate() {
        ensure!(matches!(error, Some(ExecutorError::Foreign(_))), "call {i}: {error:?}");
    }
    let done = kernel.run(&[Parameter::Buffer(&memory)], &[there])?;
    ensure!(case.read(&memory, done)? == [1; N]);
    Ok(())
}

fn programs_that_do_not_build(case: &Case) -> Result<()> {
    let one = [KernelInfo::new("k", [N, 1, 1])];
    let found = case.build("kernel void k(global uint *p) { p[0] = nowhere; }", &one).err();
    let log = match &found {
        Some(ExecutorError::Build(log)) => log,
        other => anyhow::bail!("{other:?}"),
    };
    ensure!(log.contains("nowhere"), "{log}");
    let found = case.build("kernel void other(global uint *p) { p[0] = 1; }", &one).err();
    ensure!(found == Some(ExecutorError::NoKernel("k".into())), "{found:?}");
    let library = case.build("kernel void k(global uint *p) { p[0] = 1; }", &one)?;
    let found = case.device.executor().prepare(&library, 1).err();
    ensure!(matches!(found, Some(ExecutorError::NoKernel(_))), "{found:?}");
    let list = KernelList {
        code: Code::SpirV(vec![1, 2, 3]),
        options: String::new(),
        kernels: one.to_vec(),
    };
    let found = case.device.compiler().build(list).wait().err();
    ensure!(matches!(found, Some(ExecutorError::Build(_) | ExecutorError::Device(_))), "{found:?}");
    Ok(())
}

/// A SPIR-V module with the kernel `k(global uint *p)`, which stores 7 to `p[0]`.
fn seven() -> Vec<u8> {
    let mut words = vec![0x0723_0203_u32, 0x0001_0000, 0, 12, 0];
    let mut op = |code: u32, operands: &[u32]| {
        words.push((u32::try_from(operands.len()).unwrap_or(0) + 1) << 16 | code);
        words.extend(operands);
    };
    let name = u32::from(b'k');
    op(17, &[4]); // OpCapability Addresses
    op(17, &[6]); // OpCapability Kernel
    op(14, &[2, 2]); // OpMemoryModel Physical64 OpenCL
    op(15, &[6, 1, name]); // OpEntryPoint Kernel %1 "k"
    op(19, &[2]); // %2 = OpTypeVoid
    op(21, &[3, 32, 0]); // %3 = OpTypeInt 32 0
    op(32, &[4, 5, 3]); // %4 = OpTypePointer CrossWorkgroup %3
    op(33, &[5, 2, 4]); // %5 = OpTypeFunction %2 %4
    op(43, &[3, 6, 7]); // %6 = OpConstant %3 7
    op(54, &[2, 1, 0, 5]); // %1 = OpFunction %2 None %5
    op(55, &[4, 7]); // %7 = OpFunctionParameter %4
    op(248, &[8]); // %8 = OpLabel
    op(62, &[7, 6, 2, 4]); // OpStore %7 %6 Aligned 4
    op(253, &[]); // OpReturn
    op(56, &[]); // OpFunctionEnd
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// Bitcode for the host with the kernel `k(global uint *p)`, which stores 11 to `p[0]`.
fn bitcode() -> Result<Vec<u8>> {
    let host = muxcl_mux_host::HostDevice::create();
    let target = muxcl_compiler::Target::new(&host.info().desc)?;
    let session = muxcl_compiler::Session::new(target.clone());
    let text = muxcl_compiler_abi::Source::of_c("kernel void k(global uint *p) { p[0] = 11; }");
    let stage = muxcl_frontend_clang::options::Stage::Compile;
    let source = muxcl_compiler::Source { program: &text, options: "", stage };
    let program = session.compile(&source)?.value;
    Ok(program.to_binary(muxcl_types::container::BinaryKind::CompiledObject, &target).bitcode)
}

fn spirv_and_bitcode(case: &Case) -> Result<()> {
    let (memory, there) = case.memory(&[0; N])?;
    let list = |code| {
        let kernels = vec![KernelInfo::new("k", [1, 1, 1])];
        KernelList { code, options: String::new(), kernels }
    };
    let library = case.device.compiler().build(list(Code::SpirV(seven()))).wait()?;
    let executor = case.device.executor();
    let kernel = executor.prepare(&library, 0)?;
    let done = kernel.run(&[Parameter::Buffer(&memory)], &[there])?;
    ensure!(case.read(&memory, done)?[..2] == [7, 0]);

    if case.direct && !case.is_refsi() {
        let library = case.device.compiler().build(list(Code::Bitcode(bitcode()?))).wait()?;
        let (memory, there) = case.memory(&[0; N])?;
        let kernel = executor.prepare(&library, 0)?;
        let done = kernel.run(&[Parameter::Buffer(&memory)], &[there])?;
        ensure!(case.read(&memory, done)?[..2] == [11, 0]);
    }
    let found = case.device.compiler().build(list(Code::Bitcode(vec![0; 8]))).wait().err();
    if case.direct {
        ensure!(matches!(found, Some(ExecutorError::Build(_))), "{found:?}");
    } else {
        ensure!(matches!(found, Some(ExecutorError::Code { .. })), "{found:?}");
    }
    Ok(())
}

fn variables_of_the_program(case: &Case) -> Result<()> {
    let code = "global uint kept[64];
        kernel void put(global const uint *p) { kept[get_global_id(0)] = p[get_global_id(0)]; }
        kernel void get(global uint *p) { p[get_global_id(0)] = kept[63 - get_global_id(0)]; }";
    let (list, size) = (Code::OpenClC(code.into()), [N, 1, 1]);
    let kernels = ["put", "get"].map(|name| KernelInfo::new(name, size)).to_vec();
    let list = KernelList { code: list, options: "-cl-std=CL3.0".into(), kernels };
    let library = case.device.compiler().build(list).wait()?;
    let executor = case.device.executor();
    let (memory, there) = case.memory(&(0..64).collect::<Vec<u32>>())?;
    let put = executor.prepare(&library, 0)?.run(&[Parameter::Buffer(&memory)], &[there])?;
    let get = executor.prepare(&library, 1)?.run(&[Parameter::Buffer(&memory)], &[put])?;
    let found = case.read(&memory, get)?;
    ensure!((0..64).rev().eq(found.iter().copied()), "{found:?}");
    Ok(())
}

/// C++ for OpenCL: objects of the program are constructed before its kernels run.
fn constructors_run_first(case: &Case) -> Result<()> {
    let code =
        "struct Table { uint at[64]; Table() { for (uint i = 0; i < 64; i++) at[i] = i * 3; } };
        Table table;
        kernel void k(global uint *p) { p[get_global_id(0)] = table.at[get_global_id(0)]; }";
    let kernels = vec![KernelInfo::new("k", [N, 1, 1])];
    let options = "-cl-std=CLC++".into();
    let list = KernelList { code: Code::OpenClC(code.into()), options, kernels };
    let library = case.device.compiler().build(list).wait()?;
    let executor = case.device.executor();
    let memory = executor.allocate(4 * N)?;
    let done = executor.prepare(&library, 0)?.run(&[Parameter::Buffer(&memory)], &[])?;
    let found = case.read(&memory, done)?;
    ensure!((0..64).map(|i| i * 3).eq(found.iter().copied()), "{found:?}");
    Ok(())
}

/// On RefSi: a wild pointer on the host would end this process.
fn a_failure_fails_what_waits(case: &Case) -> Result<()> {
    if !case.is_refsi() {
        return Ok(());
    }
    let wild = case.kernel("kernel void k(ulong at) { *(global uint *)at = 1; }")?;
    let next = case.kernel("kernel void k(global uint *p) { p[get_global_id(0)] += 1; }")?;
    let (memory, there) = case.memory(&[5; N])?;
    let failed = wild.run(&[Parameter::Value(&16_u64.to_ne_bytes())], &[there])?;
    let behind = next.run(&[Parameter::Buffer(&memory)], &[Arc::clone(&failed)])?;
    for event in [&failed, &behind] {
        let found = event.wait().err();
        ensure!(matches!(found, Some(ExecutorError::Device(_))), "{found:?}");
        ensure!(event.is_complete());
    }
    ensure!(wait_all(&[failed, behind]).is_err());
    let free = next.run(&[Parameter::Buffer(&memory)], &[]).context("the device works on")?;
    ensure!(case.read(&memory, free)? == [6; N]);
    Ok(())
}

fn memory_dropped_while_in_use(case: &Case) -> Result<()> {
    let slow = "kernel void k(global uint *p) {
        uint v = p[get_global_id(0)];
        for (uint i = 0; i < 20000; i++) v = v * 1664525 + 1013904223;
        p[get_global_id(0)] = v; }";
    let kernel = case.kernel(slow)?;
    let executor: Arc<dyn Executor> = case.device.executor();
    for _ in 0..8 {
        let shared = SharedBuffer::new(4 * N);
        let (memory, there) = case.memory(&[3; N])?;
        let done = kernel.run(&[Parameter::Buffer(&memory)], &[there])?;
        let size = 4 * N;
        executor.copy(Place::device(&memory), Place::shared(&shared), size, &[done])?;
        // The kernel and the copy still use both.
        drop((memory, shared));
    }
    Ok(())
}
