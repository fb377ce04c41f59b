//! Metadata of compiled kernel variants, in the `.note.muxcl` section of every ELF object.
//!
//! The note's name is `muxcl` and its type 1. Its descriptor is a version byte and [`ElfMeta`] in
//! postcard. Parsing never panics, because the bytes may come from a file.

use serde::{Deserialize, Serialize};

/// The section's name in the ELF object.
pub const NOTE_SECTION: &str = ".note.muxcl";
/// The note's owner name, without the NUL that ends it in the file.
pub const NOTE_NAME: &str = "muxcl";
/// The type of the ELF note with an [`ElfMeta`].
pub const NOTE_TYPE: u32 = 1;
const VERSION: u8 = 11;

/// The properties of a launch that a variant is compiled for. The runtime picks a variant whose key
/// holds for the launch.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
pub struct SpecializationKey {
    /// The local size, or `None` for any.
    pub local_size: Option<[u32; 3]>,
    /// The local size that the kernel sees, if each group of the launch holds several of its groups
    /// (`KernelInfo::joins_groups`).
    pub seen_local_size: Option<[u32; 3]>,
    /// The global offset is zero in every dimension.
    pub zero_offset: bool,
    /// Every group is full: the global size is a multiple of the local size.
    pub uniform: bool,
    /// Every global id is below 2^31.
    pub small_ids: bool,
    /// The formats of image arguments, and the values of sampler arguments.
    pub words: KnownWords,
}

/// Words of the packed arguments that a variant treats as constants: the formats of images, and
/// samplers. At most six; the runtime does not specialise for further ones.
///
/// # Examples
/// ```
/// use muxcl_types::variant::KnownWords;
///
/// let mut words = KnownWords::default();
/// words.add(40, 0x4e);
/// assert_eq!((words.value(40), words.value(44)), (Some(0x4e), None));
/// ```
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
pub struct KnownWords([Option<KnownWord>; 6]);

/// One 32-bit word of the packed arguments with its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct KnownWord {
    /// The word's offset in the packed arguments, in bytes.
    pub offset: u32,
    /// The four bytes at this offset, read as a little-endian number.
    pub value: u32,
}

impl KnownWords {
    /// An empty set of words.
    pub const NONE: Self = Self([None; 6]);

    /// Adds a word. Does nothing if the set is full, which only makes the variant more general.
    pub fn add(&mut self, offset: u32, value: u32) {
        if let Some(free) = self.0.iter_mut().find(|word| word.is_none()) {
            *free = Some(KnownWord { offset, value });
        }
    }

    /// The words in the order in which they were added.
    pub fn iter(&self) -> impl Iterator<Item = KnownWord> {
        self.0.iter().flatten().copied()
    }

    /// The value of the word at `offset` bytes; `None` if the set has no such word.
    #[must_use]
    pub fn value(&self, offset: u32) -> Option<u32> {
        self.iter().find(|word| word.offset == offset).map(|word| word.value)
    }

    /// True if the set has no word.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(Option::is_none)
    }

    /// True if code that relies on these words may run with the arguments that `others` describes:
    /// `others` has each of these words, with the same value.
    #[must_use]
    pub fn hold_for(&self, others: &Self) -> bool {
        self.iter().all(|word| others.value(word.offset) == Some(word.value))
    }
}

/// One entry point of an ELF object.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Variant {
    /// Kernel name in the source.
    pub kernel: String,
    /// The ELF symbol of the entry point, `void(const void *packed, const SchedInfo64 *)`.
    pub symbol: String,
    /// The NDRanges that the variant can run.
    pub key: SpecializationKey,
    /// Static local memory in bytes. Local arguments follow, each aligned to 128 bytes.
    pub local_bytes: u64,
    /// Scratch memory per work-item of the enqueued local size, in bytes.
    pub scratch_bytes_per_item: u64,
    /// Additional scratch memory per group, in bytes.
    pub scratch_bytes_per_group: u64,
    /// Upper bound of the entry point's stack in bytes; 0 if unknown.
    pub stack_bytes: u64,
    /// The processor flushes denormals while the variant runs.
    pub flush_denormals: bool,
    /// Size of the packed arguments that the entry point reads, in bytes.
    pub packed_bytes: u32,
    /// The kernel may enqueue kernels or use their events.
    pub enqueues: bool,
    /// A work-item may wait in a loop for others. Work-groups must start in the order of their
    /// numbers, because groups that wait for earlier ones would otherwise never end.
    pub may_wait: bool,
    /// The entry point needs a table of combined atomic operations ([`crate::combined`]).
    pub combines: bool,
    /// The dimension (0 to 2) in which consecutive groups are neighbours: the runtime's calls and
    /// the entry point's loops step through groups along it first.
    pub along: u8,
    /// How many work-items run in the lanes of a vector, for people: `8 along x`. Empty if they run
    /// one after another.
    pub lanes: String,
    /// Which of its operations the code counts ([`crate::operations`]).
    pub counts: Counted,
}

/// Which operations the code of a variant counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
pub enum Counted {
    /// None.
    #[default]
    None,
    /// Those outside of functions that are not part of the kernel's own code.
    Some,
    /// All.
    All,
}

/// The descriptor of the note.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ElfMeta {
    /// The entry points of kernels that the application can create.
    pub variants: Vec<Variant>,
    /// The entry points of blocks that kernels enqueue; empty if the object holds their addresses
    /// itself.
    pub blocks: Vec<Variant>,
    /// The program's `printf` calls, by the numbers in their records.
    pub printf: crate::printf::Table,
}

impl ElfMeta {
    /// The content of the note section: header, name and descriptor, padded to 4 bytes.
    ///
    /// # Errors
    /// Serialisation fails, which does not happen for plain data.
    pub fn to_note(&self) -> Result<Vec<u8>, postcard::Error> {
        let mut desc = vec![VERSION];
        desc.extend(postcard::to_stdvec(self)?);
        let mut out = Vec::new();
        let len = |n: usize| u32::try_from(n).unwrap_or(u32::MAX).to_le_bytes();
        out.extend(len(NOTE_NAME.len() + 1));
        out.extend(len(desc.len()));
        out.extend(NOTE_TYPE.to_le_bytes());
        out.extend(NOTE_NAME.as_bytes());
        out.push(0);
        out.resize(out.len().next_multiple_of(4), 0);
        out.extend(desc);
        out.resize(out.len().next_multiple_of(4), 0);
        Ok(out)
    }

    /// Parses the output of [`ElfMeta::to_note`]; `None` for any other bytes.
    #[must_use]
    pub fn from_note(bytes: &[u8]) -> Option<Self> {
        let word = |at: usize| -> Option<usize> {
            let b: [u8; 4] = bytes.get(at..at.checked_add(4)?)?.try_into().ok()?;
            usize::try_from(u32::from_le_bytes(b)).ok()
        };
        let (name_len, desc_len, kind) = (word(0)?, word(4)?, word(8)?);
        let name = bytes.get(12..12usize.checked_add(name_len)?)?;
        if kind != NOTE_TYPE as usize || name != b"muxcl\0" {
            return None;
        }
        let start = (12 + name_len).next_multiple_of(4);
        let desc = bytes.get(start..start.checked_add(desc_len)?)?;
        let (&version, rest) = desc.split_first()?;
        if version != VERSION {
            return None;
        }
        postcard::from_bytes(rest).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_round_trip_and_truncated_notes_are_refused() {
        let meta = ElfMeta {
            variants: vec![Variant {
                kernel: "k".into(),
                symbol: "k.any".into(),
                ..Variant::default()
            }],
            ..ElfMeta::default()
        };
        let note = meta.to_note().unwrap();
        assert_eq!(ElfMeta::from_note(&note).unwrap(), meta);
        for cut in 0..note.len() - 4 {
            assert!(ElfMeta::from_note(&note[..cut]).is_none() || cut + 4 > note.len() - 4);
        }
    }

    #[test]
    fn damaged_notes_never_panic() {
        let variant = Variant {
            kernel: "k".into(),
            symbol: "k.any".into(),
            packed_bytes: 300,
            ..Variant::default()
        };
        let note = ElfMeta { variants: vec![variant; 3], ..ElfMeta::default() }.to_note().unwrap();
        let mut random = fastrand::Rng::with_seed(2);
        for _ in 0..20_000 {
            let mut bad = note.clone();
            for _ in 0..random.u32(1..=4) {
                let at = random.usize(..bad.len());
                bad[at] = if random.bool() { 0xff } else { random.u8(..) };
            }
            if let Some(meta) = ElfMeta::from_note(&bad) {
                assert_eq!(ElfMeta::from_note(&meta.to_note().unwrap()), Some(meta));
            }
        }
    }
}
