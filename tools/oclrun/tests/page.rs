//! The sessions of docs/tools/oclrun.md, with the driver that cargo builds beside the program.

use std::path::Path;

use anyhow::{Context as _, Result};

#[test]
fn the_page_shows_what_the_program_prints() -> Result<()> {
    let program = Path::new(env!("CARGO_BIN_EXE_oclrun"));
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/tools/oclrun.md");
    let vendors = tempfile::tempdir()?;
    muxcl_client::register(vendors.path(), "muxcl", &program.with_file_name("libmuxcl.so"))?;
    let vendors = vendors.path().display().to_string();
    let variables = [
        ("OCL_ICD_VENDORS", vendors.as_str()),
        ("MUXCL_DEVICES", "host,hal"),
        ("CA_HAL_DEVICE", "refsi"),
        ("HAL_REFSI_SOC", "g1"),
    ];
    let folder = program.parent().context("a program lies in a folder")?;
    muxcl_test_doc_sessions::check(&page, &[folder.to_owned()], &variables)
}
