//! The Python wheel. The tree is the Python package `muxcl`. The file `pyopencl/.libs/muxcl.icd`
//! registers the driver: the ICD loader in pyopencl's wheels reads the `.icd` files beside itself,
//! as those of PoCL's wheel, and the dynamic linker replaces `$ORIGIN` by that folder.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::{Facts, MACHINE, empty, fill, stage, write};
use crate::{apps::python::Venv, run};

const MODULE: &str = include_str!("../../packaging/wheel/__init__.py");
const METADATA: &str = include_str!("../../packaging/wheel/METADATA");
/// The driver, as seen from the folder `pyopencl/.libs`.
const ICD: &str = "$ORIGIN/../../muxcl/lib/libmuxcl.so\n";

/// Builds `muxcl-VERSION-py3-none-manylinux_GLIBC_MACHINE.whl`. The tag names the glibc that the
/// files need.
pub(super) fn build(tree: &Path, out: &Path, facts: &Facts) -> Result<PathBuf> {
    let venv = Venv::ensure(out, "wheel", None, &["wheel".to_owned()])?;
    let parent = out.join("wheel");
    empty(&parent)?;
    let folder = parent.join(format!("muxcl-{}", facts.version));
    let module = folder.join("muxcl");
    stage(tree, &module)?;
    let values = [("VERSION", facts.version.as_str())];
    write(&module.join("__init__.py"), &fill(MODULE, &values)?)?;
    write(&folder.join("pyopencl/.libs/muxcl.icd"), ICD)?;
    let info = folder.join(format!("muxcl-{}.dist-info", facts.version));
    write(&info.join("METADATA"), &fill(METADATA, &values)?)?;
    let (major, minor) = facts.glibc;
    let tag = format!("py3-none-manylinux_{major}_{minor}_{MACHINE}");
    let about = format!(
        "Wheel-Version: 1.0\nGenerator: cargo xtask package\nRoot-Is-Purelib: false\nTag: {tag}\n"
    );
    write(&info.join("WHEEL"), &about)?;
    let mut commands = String::from("[console_scripts]\n");
    for name in names(&module.join("bin"))? {
        commands += &format!("{name} = muxcl:_program\n");
    }
    write(&info.join("entry_points.txt"), &commands)?;
    for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
        write(
            &info.join("licenses").join(licence),
            &fs::read_to_string(run::root().join(licence))?,
        )?;
    }
    // `wheel pack` writes the list of files with their sums.
    let mut pack = Command::new(venv.python());
    pack.env("SOURCE_DATE_EPOCH", facts.time.to_string());
    pack.args(["-m", "wheel", "pack"]).arg(&folder).arg("--dest-dir").arg(out);
    run::output(&mut pack)?;
    Ok(out.join(format!("muxcl-{}-{tag}.whl", facts.version)))
}

/// The names of the files in `folder`, sorted.
fn names(folder: &Path) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        names.push(entry?.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    Ok(names)
}
