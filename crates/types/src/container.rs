//! The program binary: `CL_PROGRAM_BINARIES` returns it, the disk cache stores it, and the compile
//! and link steps exchange it.
//!
//! ```text
//! "MUXCL\r\n\x1a"  u32 version  [u8; 32] BLAKE3 of what follows  postcard(Binary)
//! ```
//! The checksum detects damage before the content is parsed. An unknown version is a separate
//! error.

use crate::program::ProgramInfo;
use serde::{Deserialize, Serialize};

const MAGIC: &[u8; 8] = b"MUXCL\r\n\x1a";
/// Version of the container format. It increases whenever [`Binary`] or the kernel ABI changes.
pub const VERSION: u32 = 15;

/// The stage of a program's build: `CL_PROGRAM_BINARY_TYPE_*`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum BinaryKind {
    /// A compiled object, input of a link.
    CompiledObject,
    /// A library of compiled objects.
    Library,
    /// A linked program with kernels that can run.
    Executable,
}

/// A program for one device.
///
/// # Examples
/// ```
/// use muxcl_types::container::{Binary, BinaryKind, ContainerError};
/// use muxcl_types::program::ProgramInfo;
///
/// let binary = Binary {
///     kind: BinaryKind::Library,
///     target: "host-x86_64".into(),
///     features: String::new(),
///     options: "-cl-std=CL3.0".into(),
///     info: ProgramInfo::default(),
///     bitcode: vec![1, 2, 3],
///     globals_elf: Vec::new(),
///     elf: Vec::new(),
/// };
/// let mut bytes = binary.to_bytes();
/// assert_eq!(Binary::from_bytes(&bytes), Ok(binary));
/// bytes.pop();
/// assert_eq!(Binary::from_bytes(&bytes), Err(ContainerError::Damaged));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Binary {
    /// The stage of the build.
    pub kind: BinaryKind,
    /// `DeviceDesc::id` of the device family, for example `host-x86_64`.
    pub target: String,
    /// CPU features that the ELF objects need, as the target's comma-separated list. A device
    /// without one of them refuses the binary.
    pub features: String,
    /// The build options, as `CL_PROGRAM_BUILD_OPTIONS` returns them.
    pub options: String,
    /// The kernels; empty unless the binary is executable.
    pub info: ProgramInfo,
    /// LLVM bitcode: of an object or library the module, of an executable the finalised module from
    /// which kernels are specialised.
    #[serde(with = "serde_bytes")]
    pub bitcode: Vec<u8>,
    /// The ELF object with the program-scope variables, or empty.
    #[serde(with = "serde_bytes")]
    pub globals_elf: Vec<u8>,
    /// The ELF object with a variant of every kernel for any local size; empty until the
    /// application asks for a binary.
    #[serde(with = "serde_bytes")]
    pub elf: Vec<u8>,
}

/// The reason why bytes are not a program binary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ContainerError {
    /// The bytes do not begin with muxcl's magic number.
    #[error("not a muxcl program binary")]
    BadMagic,
    /// Another version of muxcl wrote the bytes in another format.
    #[error("program binary of format version {0}, this driver reads {VERSION}")]
    BadVersion(u32),
    /// The checksum differs: the bytes are truncated or changed.
    #[error("program binary is damaged (checksum does not match)")]
    Damaged,
}

impl Binary {
    /// Serialises the binary with header and checksum.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let body = postcard::to_stdvec(self).unwrap_or_default();
        let mut out = Vec::with_capacity(body.len() + 44);
        out.extend(MAGIC);
        out.extend(VERSION.to_le_bytes());
        out.extend(blake3::hash(&body).as_bytes());
        out.extend(body);
        out
    }

    /// Checks and parses a binary.
    ///
    /// # Errors
    /// One of [`ContainerError`] for a foreign file, another version, or damage.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ContainerError> {
        let rest = bytes.strip_prefix(MAGIC).ok_or(ContainerError::BadMagic)?;
        let (version, rest) = rest.split_first_chunk::<4>().ok_or(ContainerError::Damaged)?;
        let version = u32::from_le_bytes(*version);
        if version != VERSION {
            return Err(ContainerError::BadVersion(version));
        }
        let (sum, body) = rest.split_first_chunk::<32>().ok_or(ContainerError::Damaged)?;
        if blake3::hash(body).as_bytes() != sum {
            return Err(ContainerError::Damaged);
        }
        postcard::from_bytes(body).map_err(|_| ContainerError::Damaged)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_changed_byte_is_detected() {
        let binary = Binary {
            kind: BinaryKind::Executable,
            target: "t".into(),
            features: String::new(),
            options: "-w".into(),
            info: ProgramInfo::default(),
            bitcode: vec![1, 2, 3],
            globals_elf: Vec::new(),
            elf: vec![9; 10],
        };
        let bytes = binary.to_bytes();
        assert_eq!(Binary::from_bytes(&bytes), Ok(binary));
        for i in 0..bytes.len() {
            let mut bad = bytes.clone();
            bad[i] ^= 0x40;
            assert!(Binary::from_bytes(&bad).is_err(), "byte {i}");
            assert!(Binary::from_bytes(&bytes[..i]).is_err(), "cut {i}");
        }
    }

    /// A body with a valid checksum, as a hostile file would have.
    fn checked(body: &[u8]) -> Vec<u8> {
        [&MAGIC[..], &VERSION.to_le_bytes(), blake3::hash(body).as_bytes(), body].concat()
    }

    #[test]
    fn damaged_bodies_with_a_valid_checksum_never_panic() {
        let binary = Binary {
            kind: BinaryKind::Library,
            target: "riscv64".into(),
            features: "+m".into(),
            options: "-w".into(),
            info: ProgramInfo::default(),
            bitcode: vec![1, 2, 3],
            globals_elf: vec![7; 3],
            elf: vec![9; 10],
        };
        let body = binary.to_bytes()[MAGIC.len() + 4 + 32..].to_vec();
        assert_eq!(Binary::from_bytes(&checked(&body)).as_ref(), Ok(&binary));
        let mut random = fastrand::Rng::with_seed(1);
        for round in 0..20_000 {
            let mut bad = if round % 3 == 0 { vec![0; random.usize(..64)] } else { body.clone() };
            for _ in 0..random.u32(1..=6) {
                if bad.is_empty() {
                    break;
                }
                let at = random.usize(..bad.len());
                // A byte of all ones makes encoded lengths huge.
                bad[at] = if random.bool() { 0xff } else { random.u8(..) };
            }
            if let Ok(read) = Binary::from_bytes(&checked(&bad)) {
                assert_eq!(Binary::from_bytes(&read.to_bytes()), Ok(read));
            }
        }
    }
}
