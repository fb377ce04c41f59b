//! The input of a compiler, and a compilation under way.

use crate::{ExecutorError, Library, Result};
use std::fmt;
use std::sync::Arc;
use std::thread::JoinHandle;

/// The code of kernels.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Code {
    /// OpenCL C.
    OpenClC(String),
    /// A SPIR-V module.
    SpirV(Vec<u8>),
    /// Bitcode of LLVM 22, with kernels as clang makes them from OpenCL C for this device. Only the
    /// module `direct` compiles it.
    Bitcode(Vec<u8>),
}

/// One kernel: its name in the code, and the index space of its launches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KernelInfo {
    /// Name of the kernel function.
    pub name: String,
    /// Number of work-items in each dimension.
    pub global: [usize; 3],
    /// Size of a work-group; `None` lets the module choose.
    pub local: Option<[usize; 3]>,
}

impl KernelInfo {
    /// A kernel without a given size of work-groups.
    #[must_use]
    pub fn new(name: impl Into<String>, global: [usize; 3]) -> Self {
        Self { name: name.into(), global, local: None }
    }

    /// The same kernel with work-groups of this size.
    #[must_use]
    pub fn in_groups(self, local: [usize; 3]) -> Self {
        Self { local: Some(local), ..self }
    }
}

/// Kernels to compile together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KernelList {
    /// The code of all kernels.
    pub code: Code,
    /// Build options of OpenCL, such as `-cl-fast-relaxed-math`.
    pub options: String,
    /// The kernels to prepare, in the order of their indices.
    pub kernels: Vec<KernelInfo>,
}

/// A compilation on another thread. Dropping it lets it end by itself.
pub struct Build(State);

enum State {
    Running(JoinHandle<Result<Arc<dyn Library>>>),
    Refused(ExecutorError),
}

impl fmt::Debug for Build {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Build").field("complete", &self.is_complete()).finish()
    }
}

impl Build {
    /// Runs `work` on a new thread.
    pub(crate) fn start(work: impl FnOnce() -> Result<Arc<dyn Library>> + Send + 'static) -> Self {
        let thread = std::thread::Builder::new().name("muxcl-build".into()).spawn(work);
        Self(match thread {
            Ok(thread) => State::Running(thread),
            Err(error) => {
                State::Refused(ExecutorError::Device(format!("no thread for a build: {error}")))
            }
        })
    }

    /// True once [`Self::wait`] would return at once.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        match &self.0 {
            State::Running(thread) => thread.is_finished(),
            State::Refused(_) => true,
        }
    }

    /// Waits for the library.
    ///
    /// # Errors
    /// [`ExecutorError::Build`] with the compiler's log, [`ExecutorError::NoKernel`] if the code
    /// lacks a kernel of the list, [`ExecutorError::Code`], [`ExecutorError::Device`].
    pub fn wait(self) -> Result<Arc<dyn Library>> {
        match self.0 {
            State::Running(thread) => thread.join().unwrap_or_else(|_| {
                Err(ExecutorError::Device("the build's thread panicked".into()))
            }),
            State::Refused(error) => Err(error),
        }
    }
}
