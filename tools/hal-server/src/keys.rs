//! Makes the files that give access: an authority, a certificate for servers and one for clients,
//! and a token. Invariant: only their owner can read keys and the token, and no file is replaced.

use crate::server::random;
use anyhow::{Context as _, Result};
use muxcl_remote_protocol::access::{AUTHORITY, Side, TOKEN};
use rcgen::{
    BasicConstraints, CertificateParams, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair,
    KeyUsagePurpose,
};
use std::fs::{OpenOptions, create_dir_all};
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

/// Writes the token into `folder`.
///
/// # Errors
/// If a file exists or cannot be written.
pub fn make_token(folder: &Path) -> Result<()> {
    create_dir_all(folder).with_context(|| folder.display().to_string())?;
    let token: [u8; 32] = random()?;
    let token: String = token.iter().map(|byte| format!("{byte:02x}")).collect();
    write(folder, TOKEN, &format!("{token}\n"), true)
}

/// Writes `ca.pem`, `ca.key`, and certificates with keys for servers at the addresses or names
/// `servers` and for clients into `folder`. They are valid for ever: who leaves a cluster is kept
/// out by a new authority.
///
/// # Errors
/// If a file exists or cannot be written, or a name is no name.
pub fn make_certificates(folder: &Path, servers: &[String]) -> Result<()> {
    create_dir_all(folder).with_context(|| folder.display().to_string())?;
    let key = KeyPair::generate()?;
    let mut params = named("muxcl remote HAL", &[])?;
    params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign];
    write(folder, AUTHORITY, &params.self_signed(&key)?.pem(), false)?;
    write(folder, "ca.key", &key.serialize_pem(), true)?;
    let authority = Issuer::new(params, key);
    let both = [
        (Side::Server, ExtendedKeyUsagePurpose::ServerAuth, servers),
        (Side::Client, ExtendedKeyUsagePurpose::ClientAuth, &[]),
    ];
    for (side, usage, names) in both {
        let key = KeyPair::generate()?;
        let mut params = named(&format!("muxcl {}", side.name()), names)?;
        params.extended_key_usages = vec![usage];
        let certificate = params.signed_by(&key, &authority)?;
        write(folder, &format!("{}.pem", side.name()), &certificate.pem(), false)?;
        write(folder, &format!("{}.key", side.name()), &key.serialize_pem(), true)?;
    }
    Ok(())
}

fn named(name: &str, servers: &[String]) -> Result<CertificateParams> {
    let mut params = CertificateParams::new(servers)?;
    params.distinguished_name.push(DnType::CommonName, name);
    Ok(params)
}

fn write(folder: &Path, name: &str, text: &str, secret: bool) -> Result<()> {
    let path = folder.join(name);
    let mode = if secret { 0o600 } else { 0o644 };
    let file = OpenOptions::new().write(true).create_new(true).mode(mode).open(&path);
    let written = file.and_then(|mut file| file.write_all(text.as_bytes()));
    written.with_context(|| path.display().to_string())
}
