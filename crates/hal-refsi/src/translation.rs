//! The translation of hot code, which the feature `jit` adds. Without it these types have no
//! values, and the interpreter executes everything.

#[cfg(feature = "jit")]
pub(crate) use muxcl_rv_jit::{Executor, Translator, may_read_flags};

#[cfg(not(feature = "jit"))]
pub(crate) use none::{Executor, Translator, may_read_flags};

#[cfg(not(feature = "jit"))]
mod none {
    use muxcl_rv_isa::Xlen;
    use muxcl_rv_sim::{Exit, Hart, Stretch};
    use std::collections::BTreeMap;
    use std::convert::Infallible;
    use std::sync::Arc;

    pub(crate) struct Translator(Infallible);

    impl Translator {
        pub(crate) fn new() -> Result<Self, ()> {
            Err(())
        }

        pub(crate) fn set_flags(&self, _: bool) {
            match self.0 {}
        }

        pub(crate) fn set_counting(&self, _: bool) {
            match self.0 {}
        }
    }

    pub(crate) struct Executor(Infallible);

    impl Executor {
        pub(crate) fn new(translator: Arc<Translator>) -> Self {
            match translator.0 {}
        }

        pub(crate) fn eager(translator: Arc<Translator>) -> Self {
            match translator.0 {}
        }

        pub(crate) fn checked(translator: Arc<Translator>) -> Self {
            match translator.0 {}
        }

        pub(crate) fn take_difference(&mut self) -> Option<String> {
            match self.0 {}
        }

        pub(crate) fn code_changed(&mut self, _: &Hart, _: u64) {
            match self.0 {}
        }

        pub(crate) fn take_counts(&mut self) -> BTreeMap<Stretch, u64> {
            match self.0 {}
        }

        pub(crate) fn run(&mut self, _: &mut Hart, _: u64) -> Exit {
            match self.0 {}
        }
    }

    pub(crate) fn may_read_flags(_: &[u8], _: Xlen) -> bool {
        false
    }
}
