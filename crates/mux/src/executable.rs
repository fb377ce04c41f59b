//! Loaded programs and their kernels.

use crate::MuxError;
use crate::target::{Cancellable, TargetExecutable, TargetKernel};
use muxcl_types::variant::{SpecializationKey, Variant};
use std::sync::{Arc, Weak};

/// An ELF object of compiled kernels, loaded on a device. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Executable {
    inner: Arc<dyn TargetExecutable>,
}

impl Executable {
    pub(crate) fn new(inner: Arc<dyn TargetExecutable>) -> Self {
        Self { inner }
    }

    /// The target's object.
    #[must_use]
    pub fn target(&self) -> &Arc<dyn TargetExecutable> {
        &self.inner
    }

    /// An object that can cancel the kernels later, without keeping the executable loaded; `None`
    /// if they have no cancellation points.
    #[must_use]
    pub fn canceller(&self) -> Option<Canceller> {
        self.inner.cancellable().map(|code| Canceller(Arc::downgrade(&code)))
    }

    /// Every entry point in the executable.
    #[must_use]
    pub fn variants(&self) -> &[Variant] {
        self.inner.variants()
    }

    /// The best usable variant of kernel `name` for `key`: the most specialized one. If only `key`
    /// has a `seen_local_size`, not the variant, the caller must launch the variant with groups of
    /// this size.
    ///
    /// # Errors
    /// `MissingKernel` if there is none.
    pub fn create_kernel(&self, name: &str, key: &SpecializationKey) -> Result<Kernel, MuxError> {
        let holds = |f: &SpecializationKey| {
            (f.local_size.is_none() || f.local_size == key.local_size)
                && (f.seen_local_size.is_none() || f.seen_local_size == key.seen_local_size)
                && (!f.zero_offset || key.zero_offset)
                && (!f.uniform || key.uniform)
                && (!f.small_ids || key.small_ids)
                && f.words.hold_for(&key.words)
        };
        let strength = |f: &SpecializationKey| {
            f.words.iter().map(|_| 16).sum::<u32>()
                + u32::from(f.local_size.is_some()) * 8
                + u32::from(f.uniform) * 4
                + u32::from(f.small_ids) * 2
                + u32::from(f.zero_offset)
        };
        let best = self
            .variants()
            .iter()
            .enumerate()
            .filter(|(_, v)| v.kernel == name && holds(&v.key))
            .max_by_key(|(_, v)| strength(&v.key));
        let Some((index, variant)) = best else {
            return Err(MuxError::MissingKernel(name.to_owned()));
        };
        Ok(Kernel { variant: Arc::new(variant.clone()), inner: self.inner.kernel(index)? })
    }
}

/// Cancels the kernels of an executable while its code is loaded.
#[derive(Debug, Clone)]
pub struct Canceller(Weak<dyn Cancellable>);

impl Canceller {
    /// See [`Cancellable::stop`].
    pub fn stop(&self) {
        if let Some(code) = self.0.upgrade() {
            code.stop();
        }
    }

    /// True until the executable is unloaded.
    #[must_use]
    pub fn is_loaded(&self) -> bool {
        self.0.strong_count() != 0
    }
}

/// One variant of a kernel, ready to run. Keeps its executable loaded.
#[derive(Debug, Clone)]
pub struct Kernel {
    inner: Arc<dyn TargetKernel>,
    variant: Arc<Variant>,
}

impl Kernel {
    /// The target's object.
    #[must_use]
    pub fn target(&self) -> &Arc<dyn TargetKernel> {
        &self.inner
    }

    /// Specialization and resource needs of the kernel.
    #[must_use]
    pub fn variant(&self) -> &Variant {
        &self.variant
    }
}
