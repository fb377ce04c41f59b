//! OpenCL C, compiled by compiler requests to linked RISC-V images, runs on a bare machine.

#![expect(clippy::unwrap_used, clippy::cast_precision_loss, clippy::float_cmp, reason = "a test")]

use muxcl_compiler::answer;
use muxcl_compiler_abi::{Request, Response, Source};
use muxcl_filetests::riscv::{Arg, DEVICES, Machine, Range, device};
use muxcl_lock::{Mutex, Rank};
use muxcl_rv_sim::Memory;
use muxcl_types::container::Binary;
use muxcl_types::device::DeviceDesc;
use muxcl_types::variant::SpecializationKey;
use std::borrow::Cow;
use std::sync::{Arc, OnceLock, Weak};

fn build(device: &DeviceDesc, source: &str, options: &str) -> Binary {
    let request = Request::Build {
        device: device.clone(),
        source: Source::of_c(source),
        options: options.into(),
    };
    match answer(&request) {
        Response::Module { binary, .. } => Binary::from_bytes(&binary).unwrap(),
        Response::Failure { log, .. } => panic!("{log}"),
        other => panic!("{other:?}"),
    }
}

fn elf(response: Response) -> Vec<u8> {
    match response {
        Response::Elf { elf } => elf,
        Response::Failure { log, .. } => panic!("{log}"),
        other => panic!("{other:?}"),
    }
}

fn specialise(device: &DeviceDesc, b: &Binary, kernel: &str, key: SpecializationKey) -> Vec<u8> {
    elf(answer(&Request::Specialise {
        device: device.clone(),
        bitcode: Cow::Borrowed(&b.bitcode),
        info: b.info.clone(),
        options: b.options.clone(),
        kernel: kernel.into(),
        key,
    }))
}

fn generic(device: &DeviceDesc, b: &Binary) -> Vec<u8> {
    elf(answer(&Request::Generic {
        device: device.clone(),
        bitcode: Cow::Borrowed(&b.bitcode),
        info: b.info.clone(),
        options: b.options.clone(),
    }))
}

/// The devices under test.
fn devices() -> Vec<DeviceDesc> {
    DEVICES.iter().map(|(isa, vlen)| device(isa, *vlen)).collect()
}

fn words(values: impl IntoIterator<Item = u32>) -> Vec<u8> {
    values.into_iter().flat_map(u32::to_le_bytes).collect()
}

/// Runs the generic and the specialised kernel. Returns the content of the first buffer.
fn both(
    device: &DeviceDesc,
    source: &str,
    kernel: &str,
    range: Range,
    args: impl Fn() -> Vec<Vec<u8>>,
) -> Vec<Vec<u8>> {
    let b = build(device, source, "-cl-std=CL3.0");
    let images = [
        generic(device, &b),
        specialise(
            device,
            &b,
            kernel,
            SpecializationKey { local_size: Some(range.local), ..SpecializationKey::default() },
        ),
    ];
    images
        .iter()
        .map(|image| {
            let mut bytes = args();
            let mut list: Vec<Arg<'_>> = bytes.iter_mut().map(Arg::Buffer).collect();
            let mut machine = Machine::new(device, image, |_| Ok(())).unwrap();
            machine.run(&b.info, kernel, &mut list, &range).unwrap();
            bytes.swap_remove(0)
        })
        .collect()
}

#[test]
fn a_simple_kernel_runs() {
    let source = "kernel void add(global uint *c, global const uint *a, global const uint *b) {
        size_t i = get_global_id(0); c[i] = a[i] + b[i] * 3; }";
    for device in devices() {
        let n = 1000u32;
        let found = both(&device, source, "add", Range::line(n.into(), 64), || {
            vec![vec![0; 4 * n as usize], words(0..n), words((0..n).map(|i| i * i))]
        });
        for f in found {
            assert!(f == words((0..n).map(|i| i + 3 * i * i)), "{device:?}");
        }
    }
}

#[test]
fn doubles_halves_and_mathematics_are_right_everywhere() {
    let source = "kernel void f(global double *out, global const float *in, global half *h) {
        size_t i = get_global_id(0); float x = in[i]; double d = x;
        out[6 * i] = d / 3.0 + d * d - sqrt(d + 2.0);
        out[6 * i + 1] = fmod(d * 1e10, 7.25); out[6 * i + 2] = sin(x); out[6 * i + 3] = fma(d, d, -d);
        out[6 * i + 4] = convert_double(convert_long_rte(d * 1e6)); out[6 * i + 5] = floor(d) + rint(x) + round(d * 4);
        vstore_half(x, i, h); }";
    let n = 96usize;
    let input: Vec<f32> = (0u16..).map(|i| f32::from(i).mul_add(0.37, 0.05)).take(n).collect();
    for device in devices() {
        let b = build(&device, source, "");
        let mut out = vec![0u8; 8 * 6 * n];
        let mut bytes: Vec<u8> = input.iter().flat_map(|v| v.to_le_bytes()).collect();
        let mut halves = vec![0u8; 2 * n];
        let mut machine = Machine::new(&device, &generic(&device, &b), |_| Ok(())).unwrap();
        let mut args = [Arg::Buffer(&mut out), Arg::Buffer(&mut bytes), Arg::Buffer(&mut halves)];
        machine.run(&b.info, "f", &mut args, &Range::line(n as u64, 32)).unwrap();
        let found: Vec<f64> =
            out.chunks_exact(8).map(|c| f64::from_le_bytes(c.try_into().unwrap())).collect();
        for (i, x) in input.iter().enumerate() {
            let (at, d) = (&found[6 * i..], f64::from(*x));
            assert_eq!(at[0], d / 3.0 + d * d - (d + 2.0).sqrt(), "{}", device.id);
            assert_eq!(at[1], (d * 1e10) % 7.25);
            assert!((at[2] - d.sin()).abs() < 3e-7, "sin {x}: {}", at[2]);
            assert_eq!(at[3], d.mul_add(d, -d));
            assert_eq!(at[4], (d * 1e6).round_ties_even());
            assert_eq!(at[5], d.floor() + f64::from(x.round_ties_even()) + (d * 4.0).round());
        }
        let halves: Vec<u16> =
            halves.chunks_exact(2).map(|c| u16::from_le_bytes([c[0], c[1]])).collect();
        assert_eq!(halves[0], half::f16::from_f32(input[0]).to_bits());
        assert!(halves.iter().zip(&input).all(|(h, x)| *h == half::f16::from_f32(*x).to_bits()));
    }
}

const VARIABLES: &str = "
    global uint counter = 5; global uint table[4] = {1, 2, 3, 4}; global uint *global where = &table[2];
    kernel void bump(global uint *out) { out[get_global_id(0)] = atomic_inc((volatile global uint *)&counter); }
    kernel void look(global uint *out) { out[0] = counter; out[1] = *where; *where = 70; out[2] = table[2]; }";

#[test]
fn program_scope_variables_live_in_one_image() {
    for device in devices() {
        let b = build(&device, VARIABLES, "-cl-std=CL3.0");
        assert!(b.info.global_variable_bytes >= 24 && b.globals_elf.is_empty());
        // The build already made the image, and only that image is valid.
        let response = answer(&Request::Specialise {
            device: device.clone(),
            bitcode: Cow::Borrowed(&b.bitcode),
            info: b.info.clone(),
            options: b.options.clone(),
            kernel: "look".into(),
            key: SpecializationKey::default(),
        });
        assert!(matches!(response, Response::Failure { .. }));
        let mut machine = Machine::new(&device, &b.elf, |_| Ok(())).unwrap();
        let mut out = vec![0; 4 * 64];
        machine.run(&b.info, "bump", &mut [Arg::Buffer(&mut out)], &Range::line(64, 16)).unwrap();
        let mut seen: Vec<u32> =
            out.chunks_exact(4).map(|c| u32::from_le_bytes(c.try_into().unwrap())).collect();
        seen.sort_unstable();
        assert!(seen == (5..69).collect::<Vec<u32>>());
        let mut out = vec![0; 12];
        machine.run(&b.info, "look", &mut [Arg::Buffer(&mut out)], &Range::line(1, 1)).unwrap();
        assert_eq!(out, words([69, 3, 70]));
    }
}

#[test]
fn a_linker_script_is_honoured() {
    let script = "SECTIONS { . = 0x40010000; .text : { *(.text .text.*) } . = ALIGN(4096);
        .rodata : { *(.rodata .rodata.* .srodata*) } .data : { *(.data .data.* .sdata*) } .bss : { *(.bss .bss.* .sbss*) } }";
    for mut device in devices() {
        device.hal.as_mut().unwrap().linker_script = script.into();
        let b = build(&device, VARIABLES, "-cl-std=CL3.0");
        // the entry point is 0, because no loader starts the image
        assert_eq!(b.elf[24..28], [0; 4]);
        let mut machine = Machine::new(&device, &b.elf, |_| Ok(())).unwrap();
        let mut out = vec![0; 12];
        machine.run(&b.info, "look", &mut [Arg::Buffer(&mut out)], &Range::line(1, 1)).unwrap();
        assert_eq!(out, words([5, 3, 70]));
    }
    let mut device = device("RV64GC", 0);
    for bad in ["SECTIONS {", "INCLUDE \"/etc/passwd\"", "INPUT(/etc/passwd)", "garbage"] {
        device.hal.as_mut().unwrap().linker_script = bad.into();
        let response = answer(&Request::Build {
            device: device.clone(),
            source: Source::of_c("kernel void f() {}"),
            options: "".into(),
        });
        let Response::Failure { log, .. } = response else { panic!("'{bad}' links") };
        assert!(log.contains("error"), "{log}");
    }
}

#[test]
fn unknown_instruction_sets_and_widths_are_refused() {
    let good = device("RV64GC", 0);
    let mut devices = Vec::new();
    for isa in ["", "RV64GCX", "x86", "RV32GC"] {
        let mut device = good.clone();
        device.hal.as_mut().unwrap().isa = isa.into();
        devices.push(device);
    }
    devices.push(DeviceDesc { address_bits: 32, ..good.clone() });
    devices.push(DeviceDesc { hal: None, ..good });
    for device in devices {
        let response = answer(&Request::Build {
            device,
            source: Source::of_c("kernel void f() {}"),
            options: String::new(),
        });
        assert!(matches!(response, Response::Failure { .. }));
    }
}

#[test]
fn images_are_the_same_every_time_and_on_any_thread() {
    let device = device("RV64GCV", 128);
    let make = || {
        let b = build(
            &device,
            "kernel void f(global float *p) { size_t i = get_global_id(0); p[i] = exp(p[i]); }",
            "",
        );
        (
            generic(&device, &b),
            specialise(
                &device,
                &b,
                "f",
                SpecializationKey { local_size: Some([64, 1, 1]), ..SpecializationKey::default() },
            ),
        )
    };
    let expected = make();
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| assert!(make() == expected));
        }
    });
}

/// With vector registers, the loops over work-items use them and execute far fewer instructions.
#[test]
fn vector_registers_are_used() {
    let source = "kernel void saxpy(global float *y, global const float *x) {
        size_t i = get_global_id(0); y[i] = fma(x[i], 3.0f, y[i]); }";
    let n = 4096usize;
    let mut retired = Vec::new();
    for (isa, vlen) in [("RV64GC", 0), ("RV64GCV", 128), ("RV64GCV", 512)] {
        let device = device(isa, vlen);
        let b = build(&device, source, "");
        let key = SpecializationKey {
            local_size: Some([256, 1, 1]),
            uniform: true,
            zero_offset: true,
            small_ids: true,
            ..SpecializationKey::default()
        };
        let mut machine =
            Machine::new(&device, &specialise(&device, &b, "saxpy", key), |_| Ok(())).unwrap();
        let mut y: Vec<u8> = (0..n).flat_map(|i| (i as f32).to_le_bytes()).collect();
        let mut x = y.clone();
        machine
            .run(
                &b.info,
                "saxpy",
                &mut [Arg::Buffer(&mut y), Arg::Buffer(&mut x)],
                &Range::line(n as u64, 256),
            )
            .unwrap();
        let right: Vec<u8> = (0..n).flat_map(|i| (4.0 * i as f32).to_le_bytes()).collect();
        assert!(y == right);
        retired.push(machine.retired());
    }
    assert!(retired[1] * 3 < retired[0] && retired[2] * 2 < retired[1], "{retired:?}");
}

/// A device whose description asks for scalar kernels (`should_vectorize = false`) gets them.
#[test]
fn a_device_that_asks_for_scalar_kernels_gets_no_vector_loop() {
    let source = "kernel void saxpy(global float *y, global const float *x) {
        size_t i = get_global_id(0); y[i] = fma(x[i], 3.0f, y[i]); }";
    let retired = |scalar| {
        let mut device = device("RV64GCV", 128);
        device.hal.as_mut().unwrap().scalar = scalar;
        let b = build(&device, source, "");
        let mut machine = Machine::new(&device, &generic(&device, &b), |_| Ok(())).unwrap();
        let (mut x, mut y) = (vec![0; 4 * 1024], vec![0; 4 * 1024]);
        let mut args = [Arg::Buffer(&mut y), Arg::Buffer(&mut x)];
        machine.run(&b.info, "saxpy", &mut args, &Range::line(1024, 256)).unwrap();
        machine.retired()
    };
    let (vector, scalar) = (retired(false), retired(true));
    assert!(vector * 2 < scalar, "{vector} instructions with vectors, {scalar} without");
}

/// A device that links by itself (`should_link = false`) gets a relocatable object.
#[test]
fn a_device_that_links_itself_gets_relocatable_objects() {
    let source = "kernel void f(global double *p) { p[get_global_id(0)] *= 3.0; }";
    for isa in ["RV64IMAC", "RV32IMAC"] {
        let mut device = device(isa, 0);
        device.hal.as_mut().unwrap().relocatable = true;
        let b = build(&device, source, "");
        let object = generic(&device, &b);
        let elf = goblin::elf::Elf::parse(&object).unwrap();
        assert_eq!(elf.header.e_type, goblin::elf::header::ET_REL);
        let names: Vec<(&str, bool)> = elf
            .syms
            .iter()
            .filter_map(|s| Some((elf.strtab.get_at(s.st_name)?, s.st_shndx != 0)))
            .filter(|(name, _)| !name.is_empty())
            .collect();
        // The object contains the run-time library's multiplication, so it has no undefined symbol.
        assert!(names.iter().all(|(_, defined)| *defined), "{isa}: {names:?}");
        assert!(names.iter().any(|(name, _)| *name == "__muldf3"), "{isa}: {names:?}");
        let section = |name| {
            elf.section_headers.iter().any(|s| elf.shdr_strtab.get_at(s.sh_name) == Some(name))
        };
        assert!(section(muxcl_types::variant::NOTE_SECTION), "{isa}");
    }
}

/// A device that loads programs at each launch would reset program-scope variables, so it lacks
/// this feature, and programs with such variables do not build.
#[test]
fn program_scope_variables_need_a_device_that_keeps_them() {
    let mut device = device("RV64GC", 0);
    // OpenCL C requires such variables for device-side enqueue.
    let without = [muxcl_types::device::PROGRAM_VARIABLES, "__opencl_c_device_enqueue"];
    device.c_features.retain(|name| !without.contains(&name.as_str()));
    for options in ["-cl-std=CL2.0", "-cl-std=CL3.0"] {
        let source = Source::of_c(VARIABLES);
        let (device, options) = (device.clone(), options.to_owned());
        let response = answer(&Request::Build { device, source, options });
        let Response::Failure { log, .. } = response else { panic!("it builds") };
        assert!(log.contains("program") && log.contains("scope variable"), "{log}");
    }
    // Constants do not count as variables.
    build(
        &device,
        "constant uint t[2] = {4, 5}; kernel void f(global uint *p) { *p = t[*p & 1]; }",
        "",
    );
}

/// A DMA engine with the latest legal completion: a transfer happens when software waits for it.
struct Dma {
    memory: OnceLock<Weak<Memory>>,
    state: Mutex<DmaState>,
}

#[derive(Default)]
struct DmaState {
    registers: [u64; 12],
    started: Vec<[u64; 12]>,
    done: usize,
}

impl Dma {
    fn perform(&self, r: &[u64; 12]) {
        let memory = self.memory.get().and_then(Weak::upgrade).unwrap();
        let dimensions = r[0] >> 4 & 3;
        let size =
            [r[5], if dimensions > 1 { r[6] } else { 1 }, if dimensions > 2 { r[7] } else { 1 }];
        let stride = |given: u64, at: usize| {
            if given == 0 { [size[0], size[0] * size[1]] } else { [r[at], r[at + 1]] }
        };
        let (to, from) = (stride(r[0] & 0x40, 10), stride(r[0] & 0x80, 8));
        for z in 0..size[2] {
            for y in 0..size[1] {
                let mut row = vec![0; usize::try_from(size[0]).unwrap()];
                memory.read(0, r[3] + z * from[1] + y * from[0], &mut row).unwrap();
                memory.write(0, r[4] + z * to[1] + y * to[0], &row).unwrap();
            }
        }
    }
}

impl muxcl_rv_sim::Device for Dma {
    fn load(&self, _hart: u32, offset: u64, size: u32) -> Option<u64> {
        let state = self.state.lock();
        (size == 8 && offset == 8).then_some(state.started.len() as u64)
    }
    fn store(&self, _hart: u32, offset: u64, size: u32, value: u64) -> bool {
        let mut state = self.state.lock();
        let register = usize::try_from(offset / 8).unwrap();
        state.registers[register] = value;
        if register == 0 && value & 1 == 1 {
            let transfer = state.registers;
            state.started.push(transfer);
        }
        if register == 2 {
            let until = usize::try_from(value).unwrap();
            assert!(until <= state.started.len(), "{until} was not started");
            while state.done < until {
                self.perform(&state.started[state.done]);
                state.done += 1;
            }
        }
        size == 8
    }
}

#[test]
fn asynchronous_copies_are_the_dma_engines() {
    let source = "kernel void f(global uint *out, global const uint *in) {
        local uint a[32], b[32]; size_t l = get_local_id(0), g = get_group_id(0);
        event_t e[2]; e[0] = async_work_group_copy(a, in + 32 * g, 32, 0);
        e[1] = async_work_group_strided_copy((local uint2 *)b, (global const uint2 *)in + g, 16, 2, 0);
        wait_group_events(2, e);
        uint v = a[31 - l] * 3 + b[l]; barrier(CLK_LOCAL_MEM_FENCE); a[l] = v; barrier(CLK_LOCAL_MEM_FENCE);
        event_t s = async_work_group_copy(out + 32 * g, a, 32, 0); wait_group_events(1, &s);
        // Two copies joined to one event: a wait for it completes both.
        s = async_work_group_copy_2D2D(b, 0, in, 0, 4, 8, 4, 16, 8, 0);
        async_work_group_copy_2D2D(a, 0, in, 1, 4, 8, 4, 16, 8, s); wait_group_events(1, &s);
        out[128 + 32 * g + l] = a[l] + b[l] * 5; }";
    let mut device = device("RV64GCV", 512);
    device.hal.as_mut().unwrap().dma = Some(0x2000_4000);
    let b = build(&device, source, "");
    let input: Vec<u32> = (0..200).map(|i| i * i + 7).collect();
    let item = |i: usize| {
        let (g, l) = (i / 32, i % 32);
        input[32 * g + 31 - l] * 3 + input[2 * (g + 2 * (l / 2)) + l % 2]
    };
    let second = |i: usize| {
        let at = i % 32 / 8 * 16 + i % 8;
        input[at + 1] + input[at] * 5
    };
    let expected = words((0..128).map(item).chain((0..128).map(second)));
    for image in [
        generic(&device, &b),
        specialise(
            &device,
            &b,
            "f",
            SpecializationKey {
                local_size: Some([32, 1, 1]),
                uniform: true,
                zero_offset: true,
                small_ids: true,
                ..SpecializationKey::default()
            },
        ),
    ] {
        let state = Mutex::new(Rank::Leaf, DmaState::default());
        let dma = Arc::new(Dma { memory: OnceLock::new(), state });
        let add = |memory: &mut Memory| Ok(memory.add_device(0x2000_4000, 0x100, dma.clone())?);
        let mut machine = Machine::new(&device, &image, add).unwrap();
        dma.memory.set(Arc::downgrade(machine.memory())).unwrap();
        let (mut out, mut bytes) = (vec![0u8; 4 * 256], words(input.iter().copied()));
        let mut args = [Arg::Buffer(&mut out), Arg::Buffer(&mut bytes)];
        machine.run(&b.info, "f", &mut args, &Range::line(128, 32)).unwrap();
        assert!(out == expected);
        // One work-item of each group starts each transfer.
        assert_eq!(dma.state.lock().started.len(), 4 * 5);
    }
    // On other devices, loops copy the data.
    let b = build(&crate::device("RV64GC", 0), source, "");
    let mut machine = Machine::new(
        &crate::device("RV64GC", 0),
        &generic(&crate::device("RV64GC", 0), &b),
        |_| Ok(()),
    )
    .unwrap();
    let (mut out, mut bytes) = (vec![0u8; 4 * 256], words(input.iter().copied()));
    machine
        .run(
            &b.info,
            "f",
            &mut [Arg::Buffer(&mut out), Arg::Buffer(&mut bytes)],
            &Range::line(128, 32),
        )
        .unwrap();
    assert!(out == expected);
}
