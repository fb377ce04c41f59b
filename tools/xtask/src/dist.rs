//! `dist`: the release tree.
//!
//! Invariant: the tree in `target/dist` depends only on the C library and the libraries that its
//! own libraries and programs name as needed. `libmuxcl.so` exports OpenCL entry points only,
//! `libmuxcl_compiler.so` its one C interface only, HAL libraries the functions of `hal.h` only;
//! none exports an LLVM symbol. Not here: `install`.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::build::{self, Driver};
use crate::{elf, order, run};

const LIBRARIES: [&str; 6] = [
    "libmuxcl.so",
    "libmuxcl_compiler.so",
    "libhal_refsi.so",
    "libhal_cpu.so",
    "libhal_null.so",
    "libhal_remote.so",
];
/// The program that the driver starts for builds.
const COMPILER: &str = "libexec/muxcl/muxcl-compiler";
/// The program that runs passes; it contains LLVM.
pub(crate) const MUXC: &str = "bin/muxc";
/// Headers for HAL libraries in C++.
const HEADERS: [&str; 4] = ["hal.h", "hal_types.h", "hal_riscv.h", "hal_util.h"];
const DOCUMENTS: [&str; 4] = ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"];

/// Runs a program with the driver of the tree that contains the script, wherever that tree is.
const RUN_SCRIPT: &str = "#!/bin/sh
# Runs a program so that the ICD loader finds the muxcl of this folder and no other driver: muxcl-run clinfo
case $1 in --help|'')
    echo 'Runs a program so that the ICD loader finds muxcl and no other driver.'
    echo
    echo 'Usage: muxcl-run PROGRAM [ARGUMENT]...'
    exit 0
esac
program=$(readlink -f -- \"$0\") && root=$(dirname -- \"$(dirname -- \"$program\")\") || exit 1
folder=$(mktemp -d) || exit 1
echo \"$root/lib/libmuxcl.so\" > \"$folder/muxcl.icd\"
OCL_ICD_VENDORS=\"$folder\" \"$@\"
status=$?
rm -r \"$folder\"
exit $status
";

/// Builds `target/dist` and checks the exports of its libraries.
pub(crate) fn dist() -> Result<Driver> {
    let built = build::release()?;
    match order::record(&built) {
        Ok(true) => order::note(&build::release()?)?,
        Ok(false) => {}
        Err(error) => {
            eprintln!("no order of functions was recorded, first builds take longer: {error:#}")
        }
    }
    let root = run::root();
    let tree = root.join("target/dist");
    for folder in [
        "lib",
        "libexec/muxcl",
        "bin",
        "etc/OpenCL/vendors",
        "share/doc/muxcl",
        "include/muxcl-hal",
        "share/muxcl/clik",
    ] {
        let folder = tree.join(folder);
        fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    }
    for library in LIBRARIES {
        let staged = tree.join("lib").join(format!(".{library}.new"));
        elf::strip(&built.join(library), &staged)?;
        fs::rename(&staged, tree.join("lib").join(library))?;
    }
    let programs = [
        ("clc", "bin/clc"),
        ("cl_offline_compiler", "bin/cl_offline_compiler"),
        ("clik", "bin/clik"),
        ("muxcl-hal-server", "bin/muxcl-hal-server"),
        ("oclrun", "bin/oclrun"),
        ("muxc", MUXC),
        ("muxcl-compiler", COMPILER),
    ];
    for (program, to) in programs {
        let staged = tree.join(to).with_extension("new");
        elf::strip(&built.join(program), &staged)?;
        executable(&staged)?;
        fs::rename(&staged, tree.join(to))?;
    }
    for header in HEADERS {
        fs::copy(
            root.join("crates/hal-abi/include").join(header),
            tree.join("include/muxcl-hal").join(header),
        )
        .with_context(|| header.to_owned())?;
    }
    copy_files(&root.join("crates/hal-abi/examples"), &tree.join("share/muxcl/examples"))?;
    clik_descriptions(&root, &tree.join("share/muxcl/clik"))?;
    let script = tree.join("bin/muxcl-run");
    fs::write(&script, RUN_SCRIPT)?;
    executable(&script)?;
    // An ICD file contains a name for the dynamic loader or an absolute path: loaders resolve no
    // path relative to the file. Here it is the absolute path. A moved tree is used through
    // `bin/muxcl-run`, or with OCL_ICD_FILENAMES set to the library.
    let library = tree.join("lib/libmuxcl.so");
    let vendors = tree.join("etc/OpenCL/vendors");
    fs::write(vendors.join("muxcl.icd"), format!("{}\n", library.display()))?;
    for document in DOCUMENTS {
        fs::copy(root.join(document), tree.join("share/doc/muxcl").join(document))
            .with_context(|| document.to_owned())?;
    }
    copy_files(&root.join("docs"), &tree.join("share/doc/muxcl"))?;
    check_exports(&tree)?;
    Ok(Driver { library, vendors })
}

/// Copies clik's descriptions of the HALs: `crates/hal-NAME/clik.toml` and `device/`, to `NAME/`.
fn clik_descriptions(root: &Path, to: &Path) -> Result<()> {
    for entry in fs::read_dir(root.join("crates"))? {
        let folder = entry?.path();
        let name = folder.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        let Some(name) = name.strip_prefix("hal-").filter(|_| folder.join("clik.toml").is_file())
        else {
            continue;
        };
        fs::create_dir_all(to.join(name))?;
        fs::copy(folder.join("clik.toml"), to.join(name).join("clik.toml"))?;
        if folder.join("device").is_dir() {
            copy_files(&folder.join("device"), &to.join(name).join("device"))?;
        }
    }
    Ok(())
}

/// All files and links below `folder`; none if the folder does not exist.
pub(crate) fn walk(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    if !folder.exists() {
        return Ok(());
    }
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let path = entry.path();
        if entry.file_type()?.is_dir() { walk(&path, files)? } else { files.push(path) }
    }
    Ok(())
}

/// Copies all files below `from` to the same places below `to`; none if `from` does not exist.
pub(crate) fn copy_files(from: &Path, to: &Path) -> Result<()> {
    let mut files = Vec::new();
    walk(from, &mut files)?;
    for file in files {
        let target = to.join(file.strip_prefix(from)?);
        if let Some(folder) = target.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::copy(&file, target)?;
    }
    Ok(())
}

fn executable(path: &Path) -> Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755))
        .with_context(|| path.display().to_string())
}

/// Fails if a library of the tree exports an unexpected symbol, lacks a required one, or if it, the
/// compiler's program, `clc` or `muxc` needs LLVM's libraries.
fn check_exports(tree: &Path) -> Result<()> {
    let driver = tree.join("lib/libmuxcl.so");
    let compiler = tree.join("lib/libmuxcl_compiler.so");
    let is_entry_point = |name: &str| {
        name.strip_prefix("cl")
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase()))
    };
    only(
        &driver,
        is_entry_point,
        &["clGetPlatformIDs", "clIcdGetPlatformIDsKHR", "clGetExtensionFunctionAddress"],
    )?;
    only(&compiler, |name| name.starts_with("muxcl_compiler_"), &["muxcl_compiler_request"])?;
    let hals =
        LIBRARIES.iter().filter(|l| l.starts_with("libhal_")).map(|l| tree.join("lib").join(l));
    let hals: Vec<_> = hals.collect();
    let optional = |name: &str| {
        let names = [
            "hal_device_properties",
            "hal_last_error",
            "hal_profile_begin",
            "hal_profile_text",
            "hal_run_calls",
        ];
        names.contains(&name)
    };
    for hal in &hals {
        only(hal, |name| name == "get_hal" || optional(name), &["get_hal"])?;
    }
    let (program, clc, muxc) = (tree.join(COMPILER), tree.join("bin/clc"), tree.join(MUXC));
    for library in hals.iter().chain([&driver, &compiler, &program, &clc, &muxc]) {
        if let Some(llvm) = elf::needed(library)?
            .iter()
            .find(|name| name.contains("LLVM") || name.contains("clang"))
        {
            bail!("{} needs {llvm}: it must contain LLVM", library.display());
        }
        let size = fs::metadata(library)?.len();
        println!("{:>9.1} MB  {}", size as f64 / 1e6, library.display());
    }
    Ok(())
}

fn only(library: &Path, allowed: impl Fn(&str) -> bool, required: &[&str]) -> Result<()> {
    let exports = elf::exports(library)?;
    let foreign: Vec<_> =
        exports.iter().filter(|name| !allowed(name)).map(String::as_str).collect();
    if !foreign.is_empty() {
        let shown = foreign.iter().take(8).copied().collect::<Vec<_>>().join(" ");
        bail!("{} exports {} symbol(s) it should not: {shown}", library.display(), foreign.len());
    }
    if let Some(absent) = required.iter().find(|name| !exports.contains(**name)) {
        bail!("{} does not export {absent}", library.display());
    }
    Ok(())
}
