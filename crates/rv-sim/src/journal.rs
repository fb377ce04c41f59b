//! What it takes to execute a piece of guest code twice: a hart's registers, and a journal of the
//! memory that it changes. Invariant: while a journal is kept, each change of memory by the hart is
//! in it. Not here: changes by others, and accesses to devices, which happen once; the journal says
//! that there was one.

use crate::access::{Main, Pages};
use crate::atomic::Reservation;
use crate::hart::Hart;
use crate::vector::VType;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The bytes of memory that a hart has changed since the journal began, with their old values.
#[derive(Debug, Default)]
pub struct Journal {
    old: RefCell<BTreeMap<u64, u8>>,
    once: Cell<bool>,
}

impl Journal {
    /// Whether the hart did something that cannot be repeated: it accessed a device or read the
    /// clock.
    pub fn has_once(&self) -> bool {
        self.once.get()
    }

    /// The addresses of the bytes.
    pub fn addresses(&self) -> Vec<u64> {
        self.old.borrow().keys().copied().collect()
    }

    /// The bytes in memory now, by their addresses.
    pub fn now(&self, hart: &Hart) -> BTreeMap<u64, u8> {
        let byte = |address: &u64| {
            let mut byte = [0];
            let read = hart.memory.read(hart.id, *address, &mut byte);
            (*address, if read.is_ok() { byte[0] } else { 0 })
        };
        self.old.borrow().keys().map(byte).collect()
    }

    /// Gives the memory its old values.
    pub fn undo(&self, hart: &Hart) {
        for (address, byte) in self.old.borrow().iter() {
            // A hart changed it, so it is writable memory.
            let _ = hart.memory.write(hart.id, *address, &[*byte]);
        }
    }
}

/// The registers of a hart, and its pc and number of retired instructions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Registers {
    x: [u64; 32],
    f: [u64; 32],
    v: Vec<u8>,
    pc: u64,
    retired: u64,
    fflags: u8,
    frm: u8,
    vl: usize,
    vstart: usize,
    vtype: VType,
    vxsat: bool,
    vxrm: u8,
    reservation: Option<Reservation>,
}

impl Registers {
    /// The address of the next instruction.
    #[must_use]
    pub const fn pc(&self) -> u64 {
        self.pc
    }

    /// The number of retired instructions.
    #[must_use]
    pub const fn retired(&self) -> u64 {
        self.retired
    }

    /// The values by their names. Floating-point flags are left out if `flags` is false.
    #[must_use]
    pub fn list(&self, flags: bool) -> Vec<(String, String)> {
        let number = |name: &str, value: u64| (name.to_owned(), format!("{value:#x}"));
        let mut all = vec![number("pc", self.pc), number("retired", self.retired)];
        for (letter, values) in [("x", &self.x), ("f", &self.f)] {
            for (k, value) in values.iter().enumerate() {
                all.push((format!("{letter}{k}"), format!("{value:#x}")));
            }
        }
        let length = self.v.len() / 32;
        for (k, register) in self.v.chunks(length.max(1)).enumerate() {
            // The most significant byte first.
            let mut text = "0x".to_owned();
            for byte in register.iter().rev() {
                let _ = write!(text, "{byte:02x}");
            }
            all.push((format!("v{k}"), text));
        }
        all.push(number("frm", self.frm.into()));
        if flags {
            all.push(number("fflags", self.fflags.into()));
        }
        all.push(number("vl", self.vl as u64));
        all.push(number("vstart", self.vstart as u64));
        all.push(("vtype".to_owned(), format!("{:?}", self.vtype)));
        all.push(number("vxsat", self.vxsat.into()));
        all.push(number("vxrm", self.vxrm.into()));
        all.push(("reservation".to_owned(), format!("{:?}", self.reservation)));
        all
    }
}

impl Hart {
    /// The hart's registers.
    #[must_use]
    pub fn registers(&self) -> Registers {
        let mut x = [0; 32];
        x.copy_from_slice(&self.x[..32]);
        Registers {
            x,
            f: self.f,
            v: (0..32).flat_map(|k| self.v.register(k).to_vec()).collect(),
            pc: self.pc,
            retired: self.retired,
            fflags: self.fflags,
            frm: self.frm,
            vl: self.v.vl,
            vstart: self.v.vstart,
            vtype: self.v.vtype,
            vxsat: self.v.vxsat,
            vxrm: self.v.vxrm,
            reservation: self.reservation,
        }
    }

    /// Sets all registers to those of a hart of the same kind.
    pub fn set_registers(&mut self, to: &Registers) {
        self.x[..32].copy_from_slice(&to.x);
        self.f = to.f;
        for (k, register) in (0..).zip(to.v.chunks((to.v.len() / 32).max(1))) {
            self.set_v(k, register);
        }
        (self.pc, self.retired) = (to.pc, to.retired);
        (self.fflags, self.frm) = (to.fflags, to.frm);
        (self.v.vl, self.v.vstart, self.v.vtype) = (to.vl, to.vstart, to.vtype);
        (self.v.vxsat, self.v.vxrm) = (to.vxsat, to.vxrm);
        self.reservation = to.reservation;
    }

    /// Begins a journal. Until it ends, stores are slow.
    pub fn begin_journal(&mut self) {
        self.journal = Some(Box::default());
        (self.open, self.own) = (Main::none(), Main::none());
        self.near.iter_mut().for_each(|[_, open]| *open = Main::none());
        self.pages = Pages::new();
    }

    /// Ends the journal.
    pub fn end_journal(&mut self) -> Box<Journal> {
        let journal = self.journal.take();
        self.flush_pages();
        journal.unwrap_or_default()
    }

    /// Notes that `len` bytes are about to change.
    pub(crate) fn note_change(&self, address: u64, len: u64) {
        let Some(journal) = &self.journal else { return };
        let mut old = journal.old.borrow_mut();
        for address in (0..len).map(|k| address.wrapping_add(k)) {
            let mut byte = [0];
            if self.memory.read(self.id, address, &mut byte).is_ok() {
                old.entry(address).or_insert(byte[0]);
            }
        }
    }

    /// Notes that the hart does something that cannot be repeated.
    pub(crate) fn note_once(&self) {
        if let Some(journal) = &self.journal {
            journal.once.set(true);
        }
    }
}
