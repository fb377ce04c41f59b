//! The program binary: what `CL_PROGRAM_BINARIES` returns, the disk cache keeps, and compile and
//! link steps exchange.
//!
//! ```text
//! "MUXCL\r\n\x1a"  u32 version  [u8; 32] BLAKE3 of what follows  postcard(Binary)
//! ```
//! Any damage is caught by the checksum before parsing; an unknown version is told apart from
//! damage.

use crate::program::ProgramInfo;
use serde::{Deserialize, Serialize};

const MAGIC: &[u8; 8] = b"MUXCL\r\n\x1a";
/// Version of the container format; raised whenever [`Binary`] or the kernel ABI changes.
pub const VERSION: u32 = 5;

/// `CL_PROGRAM_BINARY_TYPE_*`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum BinaryKind {
    /// Compiled, to be linked.
    CompiledObject,
    /// A library of compiled objects.
    Library,
    /// Linked and finalised: kernels can run.
    Executable,
}

/// A program for one device.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Binary {
    /// How far it is built.
    pub kind: BinaryKind,
    /// `DeviceDesc::id` of the device family it is for, e.g. `host-x86_64`.
    pub target: String,
    /// CPU features the ELF needs, as the target's own comma-separated list; refused where one is
    /// absent.
    pub features: String,
    /// Options it was built with, as `CL_PROGRAM_BUILD_OPTIONS` shows.
    pub options: String,
    /// Kernels (executables only).
    pub info: ProgramInfo,
    /// LLVM bitcode: the module (objects, libraries), or the finalised module specialisation starts
    /// from.
    #[serde(with = "serde_bytes")]
    pub bitcode: Vec<u8>,
    /// ELF with the program-scope variables, or empty.
    #[serde(with = "serde_bytes")]
    pub globals_elf: Vec<u8>,
    /// ELF with a variant of every kernel for any local size; empty until someone asks for a
    /// binary.
    #[serde(with = "serde_bytes")]
    pub elf: Vec<u8>,
}

/// Why bytes are no program binary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ContainerError {
    /// Not written by muxcl at all.
    #[error("not a muxcl program binary")]
    BadMagic,
    /// Written by a muxcl with another format.
    #[error("program binary of format version {0}, this driver reads {VERSION}")]
    BadVersion(u32),
    /// Truncated or altered.
    #[error("program binary is damaged (checksum does not match)")]
    Damaged,
}

impl Binary {
    /// Serialises.
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

    /// Parses and checks.
    ///
    /// # Errors
    /// [`ContainerError`], telling a foreign file, another version and damage apart.
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
    fn every_single_byte_change_is_noticed() {
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

    /// A body with a right checksum, as a hostile file would have it.
    fn checked(body: &[u8]) -> Vec<u8> {
        [&MAGIC[..], &VERSION.to_le_bytes(), blake3::hash(body).as_bytes(), body].concat()
    }

    #[test]
    fn bodies_with_a_right_checksum_are_parsed_or_refused() {
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
        let mut seed = 1u64;
        let mut random = move || {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(seed >> 33).unwrap_or(0)
        };
        for round in 0..20_000 {
            let mut bad =
                if round % 3 == 0 { (0..random() % 64).map(|_| 0).collect() } else { body.clone() };
            for _ in 0..1 + random() % 6 {
                if bad.is_empty() {
                    break;
                }
                let at = random() % bad.len();
                // Lengths that are far too long are all ones.
                bad[at] = if random() % 2 == 0 { 0xff } else { random().to_le_bytes()[0] };
            }
            if let Ok(read) = Binary::from_bytes(&checked(&bad)) {
                assert_eq!(Binary::from_bytes(&read.to_bytes()), Ok(read));
            }
        }
    }
}
