//! `install` and `uninstall`: copies the tree of `dist` below a prefix, and registers the driver
//! with the ICD loader.
//!
//! Invariant: a list below the prefix names the installed files, and `uninstall` removes exactly
//! those. Files are replaced by renaming, so that a running program keeps the library that it has
//! mapped. Not here: the content of the tree.

use std::fs;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::dist::{self, walk};
use crate::run;

/// The path of the list, below the prefix.
const LIST: &str = "share/muxcl/installed";

/// Arguments of `install` and `uninstall`.
#[derive(clap::Args)]
pub(crate) struct InstallArgs {
    /// The folder for `lib/`, `libexec/`, `bin/`, `include/` and `share/`.
    #[arg(long, default_value = "/usr/local")]
    prefix: PathBuf,
    /// The folder where the ICD loader looks for `.icd` files.
    #[arg(long, default_value = "/etc/OpenCL/vendors")]
    vendors: PathBuf,
}

/// Builds the tree, copies it below the prefix and registers the driver.
pub(crate) fn install(args: &InstallArgs) -> Result<()> {
    dist::dist()?;
    copy(&run::root().join("target/dist"), args)?;
    let (prefix, vendors) = (args.prefix.display(), args.vendors.display());
    println!("installed below {prefix}, registered in {vendors}/muxcl.icd");
    Ok(())
}

fn copy(tree: &Path, args: &InstallArgs) -> Result<()> {
    let mut files = Vec::new();
    for folder in ["lib", "libexec", "bin", "include", "share"] {
        walk(&tree.join(folder), &mut files)?;
    }
    files.sort();
    let files = files
        .iter()
        .map(|file| Ok(file.strip_prefix(tree)?.to_path_buf()))
        .collect::<Result<Vec<_>>>()?;
    // Files of the installed version that this one does not have.
    let old = listed(&args.prefix)?;
    let prefix = std::path::absolute(&args.prefix)?;
    let list: String = files.iter().map(|file| format!("{}\n", file.display())).collect();
    write(&prefix.join(LIST), |staged| Ok(fs::write(staged, &list)?))?;
    for file in &files {
        write(&prefix.join(file), |staged| Ok(fs::copy(tree.join(file), staged).map(drop)?))?;
    }
    for gone in old.iter().filter(|file| !files.contains(file)) {
        remove(&prefix.join(gone))?;
    }
    let library = prefix.join("lib/libmuxcl.so");
    write(&args.vendors.join("muxcl.icd"), |staged| {
        Ok(fs::write(staged, format!("{}\n", library.display()))?)
    })
}

/// Removes exactly the files that [`install`] wrote, and the driver's folders that become empty.
pub(crate) fn uninstall(args: &InstallArgs) -> Result<()> {
    let files = listed(&args.prefix)?;
    if files.is_empty() {
        bail!("nothing of muxcl is installed below {}", args.prefix.display());
    }
    let mut removed = 0;
    for file in &files {
        removed += u32::from(remove(&args.prefix.join(file))?);
        // Folders below `libexec`, `include` and `share` with the driver's name.
        for folder in file.ancestors().skip(1).filter(|f| f.components().any(|c| is_ours(&c))) {
            // Not empty, or shared with others: the folder stays.
            let _ = fs::remove_dir(args.prefix.join(folder));
        }
    }
    removed += u32::from(remove(&args.vendors.join("muxcl.icd"))?);
    remove(&args.prefix.join(LIST))?;
    let _ = fs::remove_dir(args.prefix.join("share/muxcl"));
    println!("removed {removed} file(s)");
    Ok(())
}

fn is_ours(part: &Component<'_>) -> bool {
    part.as_os_str().to_str().is_some_and(|name| name.starts_with("muxcl"))
}

/// The installed files below `prefix`; empty without a list. A path that leads out of the prefix is
/// an error.
fn listed(prefix: &Path) -> Result<Vec<PathBuf>> {
    let path = prefix.join(LIST);
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error).with_context(|| path.display().to_string()),
    };
    let files: Vec<PathBuf> = text.lines().map(PathBuf::from).collect();
    if files.iter().any(|file| file.components().any(|part| !matches!(part, Component::Normal(_))))
    {
        bail!("{} names files elsewhere", path.display());
    }
    Ok(files)
}

/// Writes to a file beside `target`, then renames it.
fn write(target: &Path, fill: impl FnOnce(&Path) -> Result<()>) -> Result<()> {
    let folder = target.parent().unwrap_or(target);
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    let name = target.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let staged = folder.join(format!(".{name}.muxcl-new"));
    fill(&staged).with_context(|| staged.display().to_string())?;
    fs::rename(&staged, target).with_context(|| target.display().to_string())
}

/// Removes a file; returns whether it existed.
fn remove(path: &Path) -> Result<bool> {
    match fs::remove_file(path) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error).with_context(|| path.display().to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All files and folders, with the files' contents.
    fn contents(folder: &Path) -> Vec<(PathBuf, String)> {
        let mut files = Vec::new();
        walk(folder, &mut files).unwrap();
        files.sort();
        files
            .into_iter()
            .map(|f| (f.strip_prefix(folder).unwrap().to_owned(), fs::read_to_string(&f).unwrap()))
            .collect()
    }

    #[test]
    fn what_is_installed_is_uninstalled_and_nothing_else() {
        let scratch = tempfile::tempdir().unwrap();
        let root = scratch.path();
        let tree = root.join("tree");
        let put = |file: &str, text: &str| {
            write(&tree.join(file), |staged| Ok(fs::write(staged, text)?)).unwrap()
        };
        for file in
            ["lib/libmuxcl.so", "bin/clik", "include/muxcl-hal/hal.h", "share/doc/muxcl/howto/a.md"]
        {
            put(file, file);
        }
        put("etc/OpenCL/vendors/muxcl.icd", "the tree's own");
        let args = InstallArgs { prefix: root.join("prefix"), vendors: root.join("vendors") };
        // A foreign file in a folder that the installation also uses.
        fs::create_dir_all(args.prefix.join("lib")).unwrap();
        fs::write(args.prefix.join("lib/libother.so"), "other").unwrap();
        assert!(uninstall(&args).is_err(), "nothing is there yet");
        put("lib/libold.so", "old");
        copy(&tree, &args).unwrap();
        fs::remove_file(tree.join("lib/libold.so")).unwrap();
        put("lib/libmuxcl.so", "newer");
        copy(&tree, &args).unwrap();
        let found = contents(&args.prefix);
        assert!(found.contains(&("lib/libmuxcl.so".into(), "newer".into())), "{found:?}");
        assert_eq!(found.len(), 4 + 1 + 1, "{found:?}");
        let icd = fs::read_to_string(args.vendors.join("muxcl.icd")).unwrap();
        assert_eq!(icd.trim(), args.prefix.join("lib/libmuxcl.so").display().to_string());
        uninstall(&args).unwrap();
        assert_eq!(contents(&args.prefix), [("lib/libother.so".into(), "other".into())]);
        assert!(
            !args.prefix.join("share/doc/muxcl").exists()
                && !args.prefix.join("share/muxcl").exists()
        );
        assert!(
            !args.prefix.join("include/muxcl-hal").exists() && contents(&args.vendors).is_empty()
        );
        // A manipulated list removes nothing outside the prefix.
        write(&args.prefix.join(LIST), |staged| Ok(fs::write(staged, "../tree/bin/clik\n")?))
            .unwrap();
        assert!(uninstall(&args).is_err() && tree.join("bin/clik").exists());
    }
}
