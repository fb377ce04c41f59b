//! Finding HAL libraries: valid, missing, corrupt, of another version, without the symbol, and with
//! invalid content. Each case is a process of its own, started by this program, with the driver in
//! a folder without any other HAL library.
//!
//! Needs `cargo build -p muxcl-icd` (which `cargo xtask test` does first) and `g++`. Without a
//! compiler, the cases that need one are ignored.

#![expect(clippy::unwrap_used, reason = "a test may fail anywhere")]

use std::ffi::c_void;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::ptr::{null, null_mut};
use std::time::{Duration, Instant};

use libtest_mimic::{Arguments, Failed, Trial};
use muxcl_cl_sys::{
    CL_DEVICE_MAX_WORK_GROUP_SIZE, CL_DEVICE_NAME, CL_DEVICE_TYPE_ALL, CL_MAP_READ,
    CL_MEM_READ_WRITE, CL_SUCCESS, cl_device_id,
};
use muxcl_test_api::{cl, code, context_of, info, make, number, setup, text};

/// A case: its name, the value of `CA_HAL_DEVICE`, the flags for compiling `host.cpp`, the number
/// of HAL devices, and the expected log.
struct Case {
    name: &'static str,
    library: Library,
    devices: usize,
    log: &'static str,
}

enum Library {
    /// No variable is set, and no default HAL exists.
    None,
    Missing,
    Corrupt,
    /// `crates/hal/tests/cxx/host.cpp` with these flags.
    Cxx(&'static [&'static str]),
    /// As `Cxx`, in the driver's folder under the default HAL's name.
    Default,
    /// A list: a missing library, `Cxx` twice, a corrupt one, a copy of `Cxx`, one without devices.
    List,
}

const CASES: &[Case] = &[
    Case { name: "none", library: Library::None, devices: 0, log: "no HAL devices" },
    Case { name: "missing", library: Library::Missing, devices: 0, log: "libhal_nowhere.so" },
    Case { name: "corrupt", library: Library::Corrupt, devices: 0, log: "libhal_corrupt.so" },
    Case { name: "good", library: Library::Cxx(&[]), devices: 1, log: "HAL `host memory`" },
    Case { name: "default", library: Library::Default, devices: 1, log: "CA_HAL_DEFAULT_DEVICE" },
    Case {
        name: "no_symbol",
        library: Library::Cxx(&["-DNO_ENTRY", "-Wno-unused"]),
        devices: 0,
        log: "no symbol `get_hal`",
    },
    Case {
        name: "old_version",
        library: Library::Cxx(&["-DVERSION=5"]),
        devices: 0,
        log: "interface version 5",
    },
    Case {
        name: "no_object",
        library: Library::Cxx(&["-DNO_HAL"]),
        devices: 0,
        log: "get_hal returned no object",
    },
    Case {
        name: "too_many",
        library: Library::Cxx(&["-DDEVICES=4000000000u"]),
        devices: 0,
        log: "4000000000 devices",
    },
    Case {
        name: "odd_words",
        library: Library::Cxx(&["-DWORDS=48"]),
        devices: 0,
        log: "words of 48 bits",
    },
    Case {
        name: "one_of_two",
        library: Library::Cxx(&["-DDEVICES=2"]),
        devices: 1,
        log: "device 1 is left out",
    },
    Case {
        name: "no_devices",
        library: Library::Cxx(&["-DDEVICES=0"]),
        devices: 0,
        log: "HAL `host memory` has no devices",
    },
    Case { name: "list", library: Library::List, devices: 2, log: "lists HAL `host memory` twice" },
];

/// The libraries of a list that cannot be used, each with its reason.
const LEFT_OUT: [(&str, &str); 3] = [
    ("libhal_nowhere.so", "cannot open shared object file"),
    ("libhal_corrupt.so", "libhal_corrupt.so: "),
    ("libhal_empty.so", "HAL `host memory` has no devices"),
];

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if let [_, child, devices] = arguments.as_slice()
        && child == "--child"
    {
        let start = Instant::now();
        muxcl_test_api::use_loader();
        used(devices.parse().unwrap(), start);
        return;
    }
    let arguments = Arguments::from_args();
    let compiler = Command::new("g++").arg("--version").output().is_ok();
    let trials = CASES
        .iter()
        .map(|case| {
            let needs = matches!(case.library, Library::Cxx(_) | Library::Default | Library::List);
            Trial::test(case.name, move || run(case)).with_ignored_flag(needs && !compiler)
        })
        .collect();
    libtest_mimic::run(&arguments, trials).exit();
}

fn compile(flags: &[&str], out: &Path) -> Result<(), Failed> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crates");
    let output = Command::new("g++")
        .args(["-std=c++17", "-O1", "-fPIC", "-shared", "-I"])
        .arg(here.join("hal-abi/include"))
        .arg(here.join("hal/tests/cxx/host.cpp"))
        .args(flags)
        .arg("-o")
        .arg(out)
        .output()?;
    if output.status.success() {
        Ok(())
    } else {
        Err(String::from_utf8_lossy(&output.stderr).into_owned().into())
    }
}

/// The driver's library: in the parent of this program's folder `deps`, or beside the compiler
/// library that a variable names.
fn driver() -> Result<PathBuf, Failed> {
    let program = std::env::current_exe()?;
    let beside = program.ancestors().nth(2).ok_or("no target folder")?.join("libmuxcl.so");
    let named = muxcl_config::MUXCL_COMPILER_PATH
        .get_os()
        .map(|file| Path::new(&file).with_file_name("libmuxcl.so"));
    let found = [Some(beside), named].into_iter().flatten().find(|library| library.exists());
    found.ok_or_else(|| "run `cargo build -p muxcl-icd` first".into())
}

fn run(case: &Case) -> Result<(), Failed> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!(
        "hal-{}-{}",
        case.name,
        std::process::id()
    ));
    let vendors = folder.join("vendors");
    fs::create_dir_all(&vendors)?;
    // A copy: the search uses the folder of the driver's own file, not of a link's target.
    let driver = {
        let own = folder.join("libmuxcl.so");
        fs::copy(driver()?, &own)?;
        own
    };
    fs::write(vendors.join("muxcl.icd"), format!("{}\n", driver.display()))?;
    let library = folder.join(match case.library {
        Library::Missing => "libhal_nowhere.so",
        Library::Corrupt => "libhal_corrupt.so",
        Library::Default => "libhal_refsi.so",
        _ => "libhal_case.so",
    });
    match case.library {
        Library::None | Library::Missing => {}
        Library::Corrupt => fs::write(&library, b"\x7fELF and nothing of it")?,
        Library::Cxx(flags) => compile(flags, &library)?,
        Library::Default | Library::List => compile(&[], &library)?,
    }
    let file = |name: &str| folder.join(name).display().to_string();
    let mut value = library.display().to_string();
    if matches!(case.library, Library::List) {
        fs::write(file("libhal_corrupt.so"), b"\x7fELF and nothing of it")?;
        fs::copy(&library, file("libhal_copy.so"))?;
        std::os::unix::fs::symlink(&library, file("libhal_same.so"))?;
        compile(&["-DDEVICES=0"], Path::new(&file("libhal_empty.so")))?;
        let [missing, corrupt, empty] = LEFT_OUT.map(|(name, _)| file(name));
        let (same, copy) = (file("libhal_same.so"), file("libhal_copy.so"));
        value = [missing, value, corrupt, same, copy, empty].join(" , ");
    }
    let mut child = Command::new(std::env::current_exe()?);
    child
        .args(["--child", &case.devices.to_string()])
        .env("OCL_ICD_VENDORS", format!("{}/", vendors.display()))
        .env("MUXCL_LOG", "hal=info")
        // Cargo adds the target folder, which contains the HALs, to the dynamic linker's path.
        .env_remove("LD_LIBRARY_PATH")
        .env_remove("MUXCL_DEVICES")
        .env_remove("CA_HAL_DEVICE");
    if !matches!(case.library, Library::None | Library::Default) {
        child.env("CA_HAL_DEVICE", &value);
    }
    let output = child.output()?;
    let (out, log) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let shown = format!("{}\n{out}{log}", output.status);
    fs::remove_dir_all(&folder)?;
    if !output.status.success() {
        return Err(shown.into());
    }
    if !log.contains(case.log) {
        return Err(format!("`{}` is not in the log: {shown}", case.log).into());
    }
    // One message for each library that the user has named and that has no devices.
    let messages: Vec<&str> = log.lines().filter(|line| line.starts_with("muxcl: ")).collect();
    match case.library {
        Library::None | Library::Default if messages.is_empty() => {}
        Library::List if messages.len() == LEFT_OUT.len() => {
            for (message, (name, reason)) in messages.iter().zip(LEFT_OUT) {
                if !message.contains(name) || !message.contains(reason) {
                    return Err(format!("not about {name}, {reason}: {message}").into());
                }
            }
        }
        Library::Missing | Library::Corrupt | Library::Cxx(_)
            if messages.len() == usize::from(case.devices == 0 || case.name == "one_of_two") => {}
        _ => return Err(format!("{messages:#?}, and all: {shown}").into()),
    }
    Ok(())
}

/// In the child: the host device works, and `devices` HAL devices follow it.
fn used(devices: usize, start: Instant) {
    let platform = setup().platform();
    let mut list: [cl_device_id; 4] = [null_mut(); 4];
    let mut count = 0;
    code!(
        CL_SUCCESS,
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 4, list.as_mut_ptr(), &raw mut count)
    );
    let took = start.elapsed();
    assert!(took < Duration::from_millis(500), "enumeration takes {took:?}");
    assert_eq!(count as usize, 1 + devices);
    for (i, device) in list.into_iter().take(count as usize).enumerate() {
        let name = text(&info!(clGetDeviceInfo(device), CL_DEVICE_NAME));
        let expected = [None, Some("C++ RV64 (host memory)"), Some("C++ RV64 (host memory) #2")];
        assert_eq!(name.starts_with("C++"), i > 0, "{name}");
        assert!(expected[i].is_none_or(|expected| name == expected), "{name}");
        transfers(device);
        if i > 0 {
            assert_eq!(number(&info!(clGetDeviceInfo(device), CL_DEVICE_MAX_WORK_GROUP_SIZE)), 16);
        }
    }
}

/// Writes, copies, reads and maps on a device.
fn transfers(device: cl_device_id) {
    let context = context_of(&[device]);
    let queue = make!(clCreateCommandQueueWithProperties(context, device, null()));
    let data: Vec<u32> = (0..1000).collect();
    let copy = |n: usize| make!(clCreateBuffer(context, CL_MEM_READ_WRITE, n, null_mut()));
    let (a, b) = (copy(4000), copy(4000));
    let from: *const c_void = data.as_ptr().cast();
    code!(CL_SUCCESS, clEnqueueWriteBuffer(queue, a, 1, 0, 4000, from, 0, null(), null_mut()));
    code!(CL_SUCCESS, clEnqueueCopyBuffer(queue, a, b, 0, 0, 4000, 0, null(), null_mut()));
    let mut back = vec![0u32; 1000];
    let to: *mut c_void = back.as_mut_ptr().cast();
    code!(CL_SUCCESS, clEnqueueReadBuffer(queue, b, 1, 0, 4000, to, 0, null(), null_mut()));
    assert_eq!(back, data);
    let mut error = 1;
    let mapped = cl!(clEnqueueMapBuffer(
        queue,
        b,
        1,
        CL_MAP_READ,
        400,
        400,
        0,
        null(),
        null_mut(),
        &raw mut error
    ));
    assert_eq!(error, CL_SUCCESS);
    // SAFETY: mapped for 400 bytes.
    assert_eq!(unsafe { std::slice::from_raw_parts(mapped.cast::<u32>(), 100) }, &data[100..200]);
    code!(CL_SUCCESS, clEnqueueUnmapMemObject(queue, b, mapped, 0, null(), null_mut()));
    code!(CL_SUCCESS, clFinish(queue));
    code!(CL_SUCCESS, clReleaseMemObject(a));
    code!(CL_SUCCESS, clReleaseMemObject(b));
    code!(CL_SUCCESS, clReleaseCommandQueue(queue));
    code!(CL_SUCCESS, clReleaseContext(context));
}
