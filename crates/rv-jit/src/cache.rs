//! The translations of one machine, which its harts share.
//!
//! Invariants: an address in the cache is code that stays mapped while a hart may run it: harts
//! hold the [`Generation`] whose code they run. A translation is only entered while the guest's
//! memory holds the instructions that it was made from, as far as harts have been told of changes.

use crate::arena::Arena;
use crate::check::Turns;
use crate::host::{Host, JitError, Pieces};
use crate::lower::counting::Counting;
use crate::lower::vector::Config;
use crate::lower::{self, Compiled, Data, Machine};
use crate::ranges::Areas;
use crate::region::Region;
use muxcl_lock::{Mutex, Rank};
use muxcl_rv_isa::{Extension, Xlen};
use muxcl_rv_sim::native::Area;
use muxcl_rv_sim::{Hart, Stretch};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

/// Size in bytes of the code at which a machine starts anew.
const MOST_CODE: usize = 64 << 20;

/// Number of counters that each hart has for executed stretches: those of a few thousand regions.
pub(crate) const COUNTERS: usize = 1 << 18;
/// A bound for the counters of one region.
const MOST_OF_REGION: usize = 1 << 12;

/// A translated region.
#[derive(Debug)]
struct Translation {
    code: *const u8,
    /// The guest's instructions: an address and the bytes there, for each block.
    source: Vec<(u64, Box<[u8]>)>,
    data: Data,
    choices: Choices,
    /// What it expects of the vector unit.
    config: Option<Config>,
}

/// What a region assumes less than it could.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Choices {
    /// The floating-point registers that are not variables of single precision, a bit each.
    pub(crate) no_singles: u32,
    /// The floating-point registers that are not variables of half precision, a bit each.
    pub(crate) no_halves: u32,
    /// The region is for any vector type.
    pub(crate) any_shape: bool,
    /// The region is for any `vl`.
    pub(crate) any_length: bool,
    /// Each access of a block has its own check.
    pub(crate) each_access: bool,
}

/// A set of translations that refer to each other.
#[derive(Debug)]
struct Translations {
    arena: Arena,
    pieces: Pieces,
    /// The translations by the address of their first instruction; `None` where a hart has found
    /// that no instruction can be translated.
    regions: BTreeMap<u64, Option<Translation>>,
    /// Translations whose instructions have changed. A hart may still run them.
    stale: Vec<Translation>,
    /// The stretch that each counter counts, in translations that count.
    stretches: Vec<Stretch>,
    /// Where harts have found accesses that were expected elsewhere.
    found: BTreeMap<u64, Area>,
}

// SAFETY: the pointers refer to the arena's code.
unsafe impl Send for Translations {}

/// Translations and the version of the guest's code that they belong to.
#[derive(Debug)]
pub(crate) struct Generation {
    pub(crate) pieces: Pieces,
    /// Its code counts what it executes.
    pub(crate) counts: bool,
    all: Mutex<Translations>,
    /// Number of translations so far.
    count: AtomicU64,
}

/// Counts of a machine's translations.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Regions translated.
    pub regions: u64,
    /// Guest instructions in them.
    pub instructions: u64,
    /// Bytes of host code.
    pub bytes: u64,
    /// Time spent on translation, in nanoseconds.
    pub nanoseconds: u64,
    /// Regions that Cranelift did not compile. The interpreter executes them.
    pub failures: u64,
}

/// What one thread at a time uses.
#[derive(Debug)]
struct Compiler {
    host: Host,
    /// The version of the guest's code that the translations were last compared with.
    version: u64,
}

/// Translates the code of a machine's harts, which share the translations.
///
/// All harts have one configuration and return address.
#[derive(Debug)]
pub struct Translator {
    compiler: Mutex<Compiler>,
    generation: Mutex<Arc<Generation>>,
    /// Incremented when harts must forget what they know of translations.
    epoch: AtomicU64,
    flags: AtomicBool,
    /// Translations count what they execute.
    counting: AtomicBool,
    counts: [AtomicU64; 4],
    failures: AtomicU64,
    /// With what a region is translated first.
    pub(crate) first: Choices,
    /// Whose turn it is to run checked code.
    pub(crate) turns: Turns,
}

impl Translator {
    /// A translator without translations.
    ///
    /// # Errors
    /// The processor is not supported, or the system allows no executable memory.
    pub fn new() -> Result<Self, JitError> {
        Self::with(false, Choices::default())
    }

    /// A translator that checks what it gives to Cranelift, for tests. With `any_length`, its
    /// translations are for any `vl` from the start.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn verified(any_length: bool) -> Result<Self, JitError> {
        Self::with(true, Choices { any_length, ..Choices::default() })
    }

    fn with(verify: bool, first: Choices) -> Result<Self, JitError> {
        let mut host = Host::new(verify)?;
        let generation = Arc::new(Generation::new(&mut host, false)?);
        Ok(Self {
            compiler: Mutex::new(Rank::Translation, Compiler { host, version: 0 }),
            generation: Mutex::new(Rank::Leaf, generation),
            epoch: AtomicU64::new(0),
            flags: false.into(),
            counting: false.into(),
            counts: Default::default(),
            failures: AtomicU64::new(0),
            first,
            turns: Turns::default(),
        })
    }

    /// Counts since creation.
    #[must_use]
    pub fn statistics(&self) -> Statistics {
        let [regions, instructions, bytes, nanoseconds] =
            [0, 1, 2, 3].map(|k| self.counts[k].load(Ordering::Relaxed));
        let failures = self.failures.load(Ordering::Relaxed);
        Statistics { regions, instructions, bytes, nanoseconds, failures }
    }

    /// Whether programs may read the floating-point flags. If so, the interpreter executes all
    /// arithmetic from now on.
    pub fn set_flags(&self, read: bool) {
        if self.flags.swap(read, Ordering::Relaxed) != read {
            self.restart();
        }
    }

    /// Whether execution is counted from now on: executors then have counts
    /// ([`crate::Executor::take_counts`]), and translated code takes longer.
    pub fn set_counting(&self, counting: bool) {
        if self.counting.swap(counting, Ordering::Relaxed) != counting {
            self.restart();
        }
    }

    /// Whether translated code leaves the right floating-point flags.
    pub(crate) fn computes_flags(&self) -> bool {
        self.flags.load(Ordering::Relaxed)
    }

    /// Discards all translations. Harts that run them finish with them.
    fn restart(&self) {
        let counting = self.counting.load(Ordering::Relaxed);
        if let Ok(new) = Generation::new(&mut self.compiler.lock().host, counting) {
            *self.generation.lock() = Arc::new(new);
        }
        self.epoch.fetch_add(1, Ordering::Release);
    }

    pub(crate) fn epoch(&self) -> u64 {
        self.epoch.load(Ordering::Acquire)
    }

    pub(crate) fn generation(&self) -> Arc<Generation> {
        Arc::clone(&self.generation.lock())
    }

    /// Reports that the guest's code has become version `version`, a number that grows. The first
    /// hart that reports it compares the translations with the code in memory and discards those
    /// that differ.
    pub(crate) fn synchronize(&self, hart: &Hart, version: u64) {
        let mut compiler = self.compiler.lock();
        if compiler.version < version {
            compiler.version = version;
            self.compare(hart);
        }
    }

    /// Compares all translations with the code in memory.
    pub(crate) fn compare(&self, hart: &Hart) {
        if self.generation().compare(hart) {
            self.epoch.fetch_add(1, Ordering::Release);
        }
    }

    /// Translates the region at `pc`, unless another hart translates now. Its code, if there is
    /// any.
    pub(crate) fn translate(
        &self,
        generation: &Generation,
        hart: &Hart,
        pc: u64,
        choices: Choices,
    ) -> Option<*const u8> {
        let mut compiler = self.compiler.try_lock()?;
        let begin = std::time::Instant::now();
        let machine = Machine {
            rv64: hart.xlen() == Xlen::Rv64,
            strict: hart.strict_alignment(),
            vlenb: hart.vlenb(),
            half: hart.has(Extension::Zvfh),
            flags: self.flags.load(Ordering::Relaxed),
        };
        let made = generation.translate(&mut compiler.host, hart, pc, machine, choices);
        let (code, instructions, bytes, full) = match made {
            Ok(made) => made?,
            Err(_) => {
                self.failures.fetch_add(1, Ordering::Relaxed);
                return None;
            }
        };
        drop(compiler);
        let time = u64::try_from(begin.elapsed().as_nanos()).unwrap_or(u64::MAX);
        for (count, more) in self.counts.iter().zip([1, instructions, bytes, time]) {
            count.fetch_add(more, Ordering::Relaxed);
        }
        if full {
            self.restart();
        }
        Some(code)
    }
}

impl Generation {
    fn new(host: &mut Host, counts: bool) -> Result<Self, JitError> {
        let mut arena = Arena::default();
        let pieces = host.pieces(&mut arena)?;
        let all = Translations {
            arena,
            pieces,
            regions: BTreeMap::new(),
            stale: Vec::new(),
            stretches: Vec::new(),
            found: BTreeMap::new(),
        };
        Ok(Self { pieces, counts, all: Mutex::new(Rank::Leaf, all), count: AtomicU64::new(0) })
    }

    /// A number that grows with each translation.
    pub(crate) fn count(&self) -> u64 {
        self.count.load(Ordering::Acquire)
    }

    /// The code at `pc`; `Some(None)` if it is known that there is none.
    pub(crate) fn find(&self, pc: u64) -> Option<Option<*const u8>> {
        self.all.lock().regions.get(&pc).map(|t| t.as_ref().map(|t| t.code))
    }

    /// The choices of the region at `pc`.
    pub(crate) fn choices(&self, pc: u64) -> Choices {
        let all = self.all.lock();
        all.regions.get(&pc).and_then(Option::as_ref).map(|t| t.choices).unwrap_or_default()
    }

    /// The regions with accesses that harts have found at least `often` times where they are not
    /// expected. From now on, translations expect them there.
    pub(crate) fn misplaced(&self, often: u32) -> Vec<(u64, Choices)> {
        let mut all = self.all.lock();
        let Translations { regions, found, .. } = &mut *all;
        let mut again = Vec::new();
        for (entry, t) in regions.iter().filter_map(|(pc, t)| Some((pc, t.as_ref()?))) {
            let mut other = false;
            for site in &t.data.sites {
                let Some(area) = site.elsewhere.after(often) else { continue };
                // Accesses that go to several areas are not followed more than once.
                other |= *found.entry(site.pc).or_insert(area) != site.expected;
            }
            if other {
                again.push((*entry, Choices { each_access: false, ..t.choices }));
            }
        }
        again
    }

    /// Calls `take` with each counter's number and stretch.
    pub(crate) fn each_counter(&self, mut take: impl FnMut(usize, Stretch)) {
        let all = self.all.lock();
        all.stretches.iter().enumerate().for_each(|(number, stretch)| take(number, *stretch));
    }

    /// Makes the link at this address, if it is one of a translation's, lead to `code`.
    pub(crate) fn link(&self, link: usize, code: *const u8) {
        let all = self.all.lock();
        for t in all.regions.values().flatten() {
            let links = t.data.links.as_ptr_range();
            if (links.start.addr()..links.end.addr()).contains(&link) {
                let number = (link - links.start.addr()) / size_of::<AtomicUsize>();
                t.data.links[number].store(code.addr(), Ordering::Release);
                return;
            }
        }
    }

    /// Discards the translations whose instructions have changed. True if there are any.
    fn compare(&self, hart: &Hart) -> bool {
        let mut all = self.all.lock();
        let all = &mut *all;
        let same = |(pc, bytes): &(u64, Box<[u8]>)| {
            let mut now = vec![0; bytes.len()];
            hart.memory().read(hart.id(), *pc, &mut now).is_ok() && now[..] == bytes[..]
        };
        let changed: Vec<u64> = all
            .regions
            .iter()
            // An address without translatable code may have some after the change.
            .filter(|(_, t)| t.as_ref().is_none_or(|t| !t.source.iter().all(same)))
            .map(|(pc, _)| *pc)
            .collect();
        let stale: Vec<Translation> =
            changed.iter().filter_map(|pc| all.regions.remove(pc)?).collect();
        all.forget(stale)
    }

    fn translate(
        &self,
        host: &mut Host,
        hart: &Hart,
        pc: u64,
        machine: Machine,
        choices: Choices,
    ) -> Result<Option<(*const u8, u64, u64, bool)>, JitError> {
        // One thread at a time translates, so the numbers of the next counters are known.
        let (first, found, config) = {
            let all = self.all.lock();
            // A region that is translated again expects the same: the hart may be executing other
            // code now.
            let config = all.regions.get(&pc).and_then(Option::as_ref).map(|t| t.config);
            (all.stretches.len(), all.found.clone(), config)
        };
        let areas = Areas { own: hart.has_own_memory(), found };
        let mut counting = Counting { first, ..Counting::default() };
        let counts = self.counts && first + MOST_OF_REGION <= COUNTERS;
        // Without counters left, the interpreter counts until the translations are discarded.
        let region =
            Region::find(hart, pc, choices, areas, config).filter(|_| counts == self.counts);
        let made = region.map(|region| {
            let counting = counts.then_some(&mut counting);
            let compiled = lower::compile(&region, host, &self.pieces, machine, counting);
            compiled.map(|compiled| (region, compiled))
        });
        let mut all = self.all.lock();
        let all = &mut *all;
        let Some(Ok((region, Compiled { code, copies, data }))) = made else {
            all.regions.insert(pc, None);
            return made.transpose().map(|_| None);
        };
        // The translation would count beyond the counters.
        if counting.stretches.len() > MOST_OF_REGION {
            all.regions.insert(pc, None);
            return Ok(None);
        }
        let at = all.arena.add(&code)?;
        all.stretches.append(&mut counting.stretches);
        let mut bytes = code.len() as u64;
        for (code, place) in copies.iter().zip(&data.copies) {
            place.store(all.arena.add(code)?.addr(), Ordering::Relaxed);
            bytes += code.len() as u64;
        }
        let source = region.blocks.iter().filter_map(|block| {
            let length = usize::try_from(block.past.wrapping_sub(block.pc)).ok()?;
            let mut bytes = vec![0; length].into_boxed_slice();
            hart.memory().read(hart.id(), block.pc, &mut bytes).ok()?;
            Some((block.pc, bytes))
        });
        let count = region.blocks.iter().map(|b| b.retires).sum();
        let made = Translation {
            code: at,
            source: source.collect(),
            data,
            choices,
            config: region.config,
        };
        let old = all.regions.insert(pc, Some(made)).flatten();
        all.forget(old.into_iter().collect());
        self.count.fetch_add(1, Ordering::Release);
        let full =
            all.arena.size() > MOST_CODE || all.stretches.len() + 2 * MOST_OF_REGION > COUNTERS;
        Ok(Some((at, count, bytes, full)))
    }
}

impl Translations {
    /// Keeps discarded translations until no hart runs them, and cuts all links. True if there are
    /// any.
    fn forget(&mut self, stale: Vec<Translation>) -> bool {
        if stale.is_empty() {
            return false;
        }
        self.stale.extend(stale);
        for t in self.regions.values().flatten().chain(&self.stale) {
            for link in &t.data.links {
                link.store(self.pieces.unlinked.addr(), Ordering::Release);
            }
        }
        true
    }
}

/// Whether a program may read the floating-point flags: whether a word of its code, at any even
/// offset, is an instruction that does.
#[must_use]
pub fn may_read_flags(code: &[u8], xlen: Xlen) -> bool {
    use muxcl_rv_isa::{csr, decode};
    code.windows(4).step_by(2).any(|word| {
        let word = u32::from_le_bytes([word[0], word[1], word[2], word[3]]);
        // The opcode of CSR instructions.
        word & 0x7f == 0x73
            && decode(word, xlen).is_some_and(|i| {
                i.op.row().extension == Extension::Zicsr
                    && (i.imm == i32::from(csr::FFLAGS) || i.imm == i32::from(csr::FCSR))
            })
    })
}
