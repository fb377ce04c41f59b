//! The library itself, `libhal_refsi.so`, through its C interface, in separate processes: the
//! options of the environment.

use crate::common::{Linking, buffer, build, global, range, run, words};
use muxcl_hal::{Argument, Device, Hal, load_library};
use std::path::PathBuf;
use std::process::{Command, Output};

/// The library, which cargo builds beside the tests.
fn library() -> PathBuf {
    let program = std::env::current_exe().expect("this program");
    let folder = program.parent().expect("a folder");
    let path = folder.join("libhal_refsi.so");
    assert!(path.exists(), "{} is built with the tests", path.display());
    path
}

fn open() -> Box<dyn Hal> {
    // SAFETY: cargo built this library from this crate.
    unsafe { load_library(&library()) }.expect("a HAL")
}

/// Runs a test of this file in another process with the given variables.
fn alone(test: &str, variables: &[(&str, &str)]) -> Output {
    let program = std::env::current_exe().expect("this program");
    let mut command = Command::new(program);
    command.args(["--exact", test, "--nocapture"]).env("REFSI_CHILD", "1");
    for name in [
        "HAL_REFSI_SOC",
        "HAL_DESCRIPTION",
        "HAL_REFSI_HARTS",
        "HAL_REFSI_THREAD_MODE",
        "CA_RISCV_VLEN_BITS_MIN",
        "HAL_REFSI_GDB",
        "HAL_REFSI_TRACE",
    ] {
        command.env_remove(name);
    }
    command.envs(variables.iter().copied()).output().expect("it starts")
}

#[expect(
    clippy::disallowed_methods,
    reason = "the environment tells a test whether it is a child process"
)]
fn child() -> bool {
    std::env::var_os("REFSI_CHILD").is_some()
}

fn text(output: &Output) -> String {
    format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    )
}

/// In the child: prints the devices' properties, and runs a kernel on each.
#[test]
fn devices_as_the_environment_says() {
    if child() {
        let hal = open();
        for k in 0..hal.device_count() {
            let i = hal.device_info(k).expect("a description");
            let line = (
                i.target_name.clone(),
                i.word_size,
                i.vlen,
                i.max_workgroup_size,
                i.local_memory >> 10,
                i.abi.name(),
            );
            let harts = i.counters[0].values;
            println!(
                "device {k}: {} {line:?} harts {harts} script {:?}",
                hal.name(),
                i.linker_script
            );
            let device = hal.create_device(k).expect("a device");
            drive(&*device, i.word_size);
        }
        return;
    }
    let name = "library::devices_as_the_environment_says";
    for (variables, lines) in [
        (
            &[][..],
            &["device 0: RefSi (\"RefSi G1\", 64, 128, 1024, 256, \"lp64d\") harts 2 script None"]
                [..],
        ),
        (
            &[("HAL_REFSI_SOC", "m1")],
            &["device 0: RefSi (\"RefSi M1\", 64, 512, 1024, 64, \"lp64d\") harts 4"],
        ),
        (
            &[
                ("HAL_REFSI_SOC", "m1,g1"),
                ("HAL_REFSI_HARTS", "3"),
                ("CA_RISCV_VLEN_BITS_MIN", "256"),
            ],
            &[
                "device 0: RefSi (\"RefSi M1\", 64, 256",
                "device 1: RefSi (\"RefSi G1\", 64, 256, 1024, 256, \"lp64d\") harts 3",
            ],
        ),
        (
            &[("HAL_REFSI_THREAD_MODE", "WI")],
            &["device 0: RefSi (\"RefSi G1\", 64, 128, 64, 256, \"lp64d\") harts 64"],
        ),
        (
            &[("HAL_DESCRIPTION", "RV32GC")],
            &["device 0: RefSi (\"RefSi G1 RV32\", 32, 0, 1024, 256, \"ilp32d\")"],
        ),
        (
            &[("CA_HAL_DEBUG", "1"), ("REFSI_DEBUG", "1"), ("HAL_REFSI_SOC", "m1")],
            &["[HAL] mem_alloc(", "[CMP] RUN_KERNEL_SLICE("],
        ),
        (
            &[("HAL_REFSI_TRACE", "/dev/stderr"), ("HAL_REFSI_TRACE_LIMIT", "1000")],
            &["hart 0 0x0000000000001000 "],
        ),
    ] {
        let output = alone(name, variables);
        let text = text(&output);
        assert!(output.status.success(), "{variables:?}: {text}");
        for line in lines {
            assert!(text.contains(line), "{variables:?}: {line}: {text}");
        }
    }
}

fn drive(device: &dyn Device, bits: u32) {
    let program = device.load(&build("kernels.c", bits, Linking::Pie)).expect("a program");
    let out = buffer(device, 1);
    if bits == 64 {
        let times = 10u64.to_le_bytes();
        // In WI mode each work-item adds once.
        run(device, program, "sum", &range(10, 1), &[global(out), Argument::Value(&times)])
            .expect("it runs");
        assert_eq!(words(device, out, 1), [550]);
    } else {
        run(device, program, "globals", &range(1, 1), &[global(out)]).expect("it runs");
        assert_eq!(words(device, out, 1), [1 << 32 | 30]);
    }
    device.unload(program).expect("unload");
}

#[test]
fn nonsense_in_the_environment_is_an_error() {
    if child() {
        // SAFETY: cargo built this library from this crate.
        let hal = unsafe { load_library(&library()) };
        println!("opened: {}", hal.is_ok());
        return;
    }
    for (variable, value) in [
        ("HAL_REFSI_SOC", "x1"),
        ("HAL_REFSI_HARTS", "0"),
        ("HAL_REFSI_HARTS", "many"),
        ("HAL_DESCRIPTION", "x86"),
        ("HAL_DESCRIPTION", "RV64I"),
        ("HAL_REFSI_THREAD_MODE", "group"),
        ("CA_RISCV_VLEN_BITS_MIN", "100"),
        ("HAL_REFSI_STACK_MB", "1"),
        ("HAL_REFSI_MAX_INSTRUCTIONS", "-1"),
        ("HAL_REFSI_GDB", "65536"),
        ("HAL_REFSI_GDB", "localhost:1"),
        ("HAL_REFSI_TRACE_LIMIT", "-1"),
    ] {
        let output =
            alone("library::nonsense_in_the_environment_is_an_error", &[(variable, value)]);
        let text = text(&output);
        assert!(
            text.contains("opened: false") && text.contains("the HAL cannot start"),
            "{variable}={value}: {text}"
        );
    }
}

/// Faults through the C interface: it returns false and writes the reason to stderr.
#[test]
fn faults_say_why_on_stderr() {
    if child() {
        let device = open().create_device(0).expect("a device");
        let program = device.load(&build("kernels.c", 64, Linking::Pie)).expect("a program");
        for (what, address) in [(0u64, 8u64), (3, 0)] {
            let (what, address) = (what.to_le_bytes(), address.to_le_bytes());
            let args = [Argument::Value(&what), Argument::Value(&address)];
            assert!(run(&*device, program, "fault", &range(4, 1), &args).is_err());
        }
        assert!(device.load(b"no program").is_err());
        let out = buffer(&*device, 1);
        run(&*device, program, "globals", &range(1, 1), &[global(out)])
            .expect("the device still works");
        let hello = device.alloc(64, 1).expect("memory");
        device.write(hello, b"hello from a kernel\n\0").expect("write");
        run(&*device, program, "text", &range(1, 1), &[global(hello)]).expect("it runs");
        return;
    }
    for soc in ["m1", "g1"] {
        let limit = ("HAL_REFSI_MAX_INSTRUCTIONS", "1000000");
        let output = alone("library::faults_say_why_on_stderr", &[("HAL_REFSI_SOC", soc), limit]);
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{stderr}");
        for part in [
            "hal: kernel_exec: device fault: kernel `fault`, work-group (3, 0, 0): hart ",
            "store to 0x8 at pc 0x",
            " in fault+0x",
            "the limit of 1000000 instructions is reached",
            "hal: program_load: not a program",
        ] {
            assert!(stderr.contains(part), "{part}: {stderr}");
        }
        assert!(String::from_utf8_lossy(&output.stdout).contains("hello from a kernel"));
    }
}
