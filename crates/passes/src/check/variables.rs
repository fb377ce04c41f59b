//! The kernel's own memory: local arguments, local variables, and private variables that are not in
//! registers.
//!
//! Shadow memory tells which of its bytes have been written, and which work-items have accessed
//! local memory last. That of private variables is a private variable, that of local variables is
//! memory of the group, and that of a local argument lies behind it
//! ([`muxcl_types::check::LocalShadow`]). Work-item 0 clears the shadow of local memory at the
//! start of the kernel.
//!
//! Invariant: bytes count as unwritten only if the pass sees all code that can write them. Not
//! here: the checks of accesses ([`super`]).

use muxcl_llvm::{Builder, IntPredicate, Opcode, Value};
use muxcl_types::check::{Cell, FIRST_ARGUMENT, how};
use muxcl_types::program::ArgKind;

use super::{GLOBAL_SPACE, Instrumenter, typed};
use crate::{local_memory, names};

const CLEAR: &str = "__muxcl_check_clear";
/// Largest private variable with a shadow, in bytes. Work-items keep both across barriers, so large
/// ones could exceed the memory of a group.
const MOST_PRIVATE: u64 = 4096;

/// Memory of the kernel. All values are `i64`, except `start`.
#[derive(Clone, Copy)]
pub(super) struct Variable<'m> {
    /// Address of the first byte.
    pub(super) start: Value<'m>,
    /// Size in bytes.
    pub(super) size: Value<'m>,
    /// Address of the bytes that tell which bytes are written; 0 if all count as written.
    pub(super) init: Value<'m>,
    /// Address of the cells; 0 if races are not checked.
    pub(super) race: Value<'m>,
}

/// Memory of the group for the checks ([`names::CHECK_MEMORY`]).
#[derive(Default)]
pub(super) struct GroupMemory<'m> {
    /// Its address.
    start: Option<Value<'m>>,
    /// Its size in bytes.
    bytes: u64,
}

impl<'m> Instrumenter<'_, 'm, '_> {
    /// What the checks know of `object`; `None` if it is not memory of the kernel, or needs no
    /// checks.
    pub(super) fn variable(&mut self, object: Value<'m>) -> Option<Variable<'m>> {
        if let Some(known) = self.variables.get(&object) {
            return *known;
        }
        let made = self.make_variable(object);
        self.variables.insert(object, made);
        made
    }

    fn make_variable(&mut self, object: Value<'m>) -> Option<Variable<'m>> {
        let cx = self.module.cx();
        let argument = self.kernel.params().iter().position(|p| *p == object);
        if let Some(n) = argument {
            let number = u32::try_from(n).ok()?;
            let kind = self.args.get(n)?.kind;
            return (kind == ArgKind::LocalPointer).then(|| self.argument(object, number))?;
        }
        let none = cx.u64(0);
        if object.is_alloca() {
            let count = object.operand(0).as_u64()?;
            let size = count.saturating_mul(self.module.size_of(object.allocated_type()));
            if !self.checks.memory {
                return None;
            }
            let small = size <= MOST_PRIVATE && !self.requirements.zero_private;
            let init = if small && self.sees_writes(object, size) {
                let b = self.at_start();
                let shadow = b.alloca(cx.array(cx.i8(), size), "written");
                shadow.set_align(8);
                b.memset(shadow, 0, cx.u64(size), 8);
                b.ptr_to_int(shadow, cx.i64())
            } else {
                none
            };
            return Some(Variable { start: object, size: cx.u64(size), init, race: none });
        }
        if !object.is_global_variable() || object.is_declaration() {
            return None;
        }
        let size = self.module.size_of(object.global_type());
        if object.ty().address_space() != local_memory::SPACE {
            let known = Variable { start: object, size: cx.u64(size), init: none, race: none };
            return self.checks.memory.then_some(known);
        }
        let written =
            self.checks.memory && !self.requirements.zero_local && self.sees_writes(object, size);
        let init = if written { self.group_bytes(size) } else { none };
        let race = if self.checks.race {
            self.group_bytes(size.div_ceil(4) * size_of::<Cell>() as u64)
        } else {
            none
        };
        Some(Variable { start: object, size: cx.u64(size), init, race })
    }

    /// A local argument: the runtime says in its region how large it is and where its shadow is.
    fn argument(&mut self, object: Value<'m>, number: u32) -> Option<Variable<'m>> {
        let cx = self.module.cx();
        // Before the code that computes addresses of the shadow uses the argument.
        let written =
            self.checks.memory && !self.requirements.zero_local && self.sees_writes(object, 0);
        let [_, size, init, race] = self.fields(cx.u32(FIRST_ARGUMENT + number))?;
        let b = self.at_start();
        let (start, none) = (b.ptr_to_int(object, cx.i64()), cx.u64(0));
        let absent = b.icmp(IntPredicate::Eq, init, none);
        let from = b.add(start, race);
        let bytes = b.select(absent, none, b.sub(b.add(init, size), race));
        self.clears.push((from, bytes));
        let place = |offset: Value<'m>, wanted: bool| match wanted {
            true => b.select(absent, none, b.add(start, offset)),
            false => none,
        };
        let (init, race) = (place(init, written), place(race, self.checks.race));
        Some(Variable { start: object, size, init, race })
    }

    /// True if the kernel's accesses to a variable of `size` bytes (0 if unknown) are all known,
    /// and not all bytes are written at its start.
    fn sees_writes(&self, object: Value<'m>, size: u64) -> bool {
        let mut work = vec![object];
        while let Some(pointer) = work.pop() {
            for user in pointer.users() {
                let access = match user.opcode() {
                    Opcode::GetElementPtr | Opcode::BitCast | Opcode::AddrSpaceCast => {
                        work.push(user);
                        continue;
                    }
                    Opcode::Load => true,
                    Opcode::Store => user.operand(0) != pointer,
                    Opcode::AtomicRmw => user.operand(1) != pointer,
                    Opcode::AtomicCmpXchg => {
                        user.operand(1) != pointer && user.operand(2) != pointer
                    }
                    Opcode::Call if user.is_lifetime() => continue,
                    Opcode::Call => {
                        let transfers = self.transfers(user);
                        let whole = transfers.iter().any(|t| {
                            let writes = t.how & how::WRITE != 0;
                            let all = size != 0 && t.bytes.as_u64() == Some(size);
                            writes && all && t.pointer == object
                        });
                        if whole && user.block() == self.kernel.entry() {
                            return false;
                        }
                        !transfers.is_empty()
                    }
                    _ => false,
                };
                if !access || pointer.underlying_object() != object {
                    return false;
                }
            }
        }
        true
    }

    /// Inserts at the kernel's start, behind what has been inserted there.
    pub(super) fn at_start(&self) -> Builder<'m> {
        Builder::before(self.start)
    }

    /// The address of memory of the group.
    pub(super) fn group_memory(&mut self) -> Value<'m> {
        if let Some(start) = self.group.start {
            return start;
        }
        let ty = self.module.cx().ptr(local_memory::SPACE);
        let start = self.at_start().call(typed(self.module, names::CHECK_MEMORY, ty, &[]), &[]);
        self.group.start = Some(start);
        start
    }

    /// The offset of `bytes` more bytes of the group's memory.
    pub(super) fn reserve(&mut self, bytes: u64) -> u64 {
        let at = self.group.bytes;
        self.group.bytes = at + bytes.next_multiple_of(8);
        at
    }

    /// The address of `bytes` more bytes of the group's memory, as `i64`.
    fn group_bytes(&mut self, bytes: u64) -> Value<'m> {
        let cx = self.module.cx();
        let start = self.group_memory();
        let offset = self.reserve(bytes);
        let b = self.at_start();
        b.add(b.ptr_to_int(start, cx.i64()), cx.u64(offset))
    }

    /// Adds the code that clears the shadow of local memory. Comes last.
    pub(super) fn clear_shadows(&mut self) {
        let cx = self.module.cx();
        let b = self.at_start();
        if let Some(start) = self.group.start {
            let bytes = self.group.bytes.next_multiple_of(muxcl_types::sched::LOCAL_ALIGN);
            self.kernel.add_string_attribute(names::CHECK_BYTES, &bytes.to_string());
            self.clears.push((b.ptr_to_int(start, cx.i64()), cx.u64(self.group.bytes)));
        }
        for (from, bytes) in std::mem::take(&mut self.clears) {
            let args = [b.int_to_ptr(from, cx.ptr(GLOBAL_SPACE)), bytes];
            b.call(typed(self.module, CLEAR, cx.void(), &args), &args);
        }
    }
}
