//! `package --test`: installs the packages into a clean Debian root, which mmdebstrap makes and
//! removes, and runs clinfo and kernels there (`packaging/check.sh`). Lintian checks the Debian
//! packages, auditwheel the wheel.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::{Format, conda, empty, packaging};
use crate::apps::python::Venv;
use crate::{build, packages, run};

/// What the root has beside Debian's essential packages and apt: an ICD loader, `clinfo`, Python.
const INCLUDED: &str = "ocl-icd-libopencl1,clinfo,python3,python3-venv";

/// Tests the packages `built` of the `formats`.
pub(super) fn check(formats: &[Format], built: &[PathBuf], out: &Path) -> Result<()> {
    policies(built, out)?;
    let folder = out.join("check");
    empty(&folder)?;
    for package in built {
        let name = package.file_name().context("a package has a name")?;
        fs::copy(package, folder.join(name))?;
    }
    fs::copy(build::tool("muxcl-demo", false)?, folder.join("muxcl-demo"))?;
    fs::copy(packaging("wheel/kernel.py"), folder.join("kernel.py"))?;
    if formats.contains(&Format::Conda) {
        // A clean root has no conda: the environment is made here, for its place there.
        let mut install = Command::new(conda::venv(out)?.python());
        install.arg(packaging("conda/install.py")).arg(conda::channel(out));
        run::output(install.arg(folder.join("conda")).arg("/conda"))?;
    }
    let names: Vec<&str> = formats.iter().map(|format| format.name()).collect();
    let hook = format!(
        "sh '{}' \"$1\" '{}' {}",
        packaging("check.sh").display(),
        folder.display(),
        names.join(" ")
    );
    let mut root = Command::new("mmdebstrap");
    root.args(["--variant=apt", "--quiet", "--format=null"]).arg(format!("--include={INCLUDED}"));
    // The demo is built with this system's glibc, so the root is of the same release.
    root.arg(format!("--customize-hook={hook}")).arg(release()?).arg("-");
    // Sources as apt has them here: mmdebstrap copies them with their keys.
    root.arg("/etc/apt/sources.list.d/debian.sources");
    run::check(&mut root)?;
    println!("installed and tested in a clean root: {}", names.join(", "));
    Ok(())
}

/// Runs Lintian on the Debian packages, and auditwheel on the wheel.
fn policies(built: &[PathBuf], out: &Path) -> Result<()> {
    let of = |suffix: &str| {
        let suffix = suffix.to_owned();
        move |path: &&PathBuf| path.extension().is_some_and(|extension| *extension == *suffix)
    };
    let debs: Vec<&PathBuf> = built.iter().filter(of("deb")).collect();
    if !debs.is_empty() {
        packages::need("lintian")?;
        let mut lintian = Command::new("lintian");
        run::check(lintian.args(["--allow-root", "--fail-on", "error,warning"]).args(debs))?;
    }
    for wheel in built.iter().filter(of("whl")) {
        let venv = Venv::ensure(out, "auditwheel", None, &["auditwheel".to_owned()])?;
        let tag = wheel.file_stem().and_then(|stem| stem.to_str()).context("a wheel has a tag")?;
        let platform = tag.rsplit('-').next().unwrap_or(tag);
        let mut audit = Command::new(venv.python());
        let said = run::output(audit.args(["-m", "auditwheel", "show"]).arg(wheel))?;
        if !said.contains(&format!("\"{platform}\"")) {
            bail!("auditwheel does not confirm {platform}:\n{said}");
        }
    }
    Ok(())
}

/// The code name of this Debian.
fn release() -> Result<String> {
    let text = fs::read_to_string("/etc/os-release").context("/etc/os-release")?;
    text.lines()
        .find_map(|line| line.strip_prefix("VERSION_CODENAME="))
        .map(str::to_owned)
        .context("/etc/os-release names no release of Debian: packages are tested on Debian")
}
