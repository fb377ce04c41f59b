//! Which private variables are interleaved by lane in memory.
//!
//! Element e of lane l is at the number e * lanes + l of the elements of all lanes. So an access to
//! the same element in all lanes is one access to consecutive elements. The other layout, for
//! variables whose uses this file does not understand, has one copy of the variable for each lane,
//! one after another.
//!
//! Invariant: each access to an interleaved variable touches whole elements of one size, and no
//! other code sees an address in the variable. Not here: the code for the addresses and accesses
//! (`widen::interleaved`).

use std::collections::BTreeSet;

use muxcl_llvm::{Module, Opcode, Type, Value};

use crate::shapes::{Lowering, elements_of, fills_bytes, lowering};

/// The size of an element of the private variable `variable`, an `alloca`, if the variable may be
/// interleaved. It may if all users of its address are loads and stores of scalars of one size, or
/// of OpenCL vectors of such scalars, at multiples of this size.
pub(crate) fn element_size<'m>(module: &Module<'_>, variable: Value<'m>) -> Option<u64> {
    let mut size = None;
    let mut steps = Vec::new();
    let mut seen = BTreeSet::new();
    let mut work = vec![variable];
    while let Some(address) = work.pop() {
        if !seen.insert(address) {
            continue;
        }
        for user in address.users() {
            if !user.is_instruction() {
                return None;
            }
            if let Some(fill) = Fill::of(user) {
                if user.operand(0) != address {
                    return None;
                }
                steps.push(fill.bytes);
                continue;
            }
            let accessed = match lowering(user) {
                Lowering::Load => user.ty(),
                Lowering::Store if user.operand(0) != address => user.operand(0).ty(),
                Lowering::Hint => continue,
                _ => {
                    steps.push(step(module, user, address)?);
                    work.push(user);
                    continue;
                }
            };
            let new = whole_element(module, accessed)?;
            if size.is_some_and(|size| size != new) {
                return None;
            }
            size = Some(new);
        }
    }
    size.filter(|size| steps.iter().all(|step| step.is_multiple_of(*size)))
}

/// A call that writes constant bytes: an initialiser.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fill<'m> {
    /// The number of bytes that it writes to operand 0.
    pub(crate) bytes: u64,
    pub(crate) source: Source<'m>,
}

/// The bytes that a [`Fill`] writes.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Source<'m> {
    /// All are equal.
    Byte(u8),
    /// Those at this constant address of constants.
    Constants(Value<'m>),
}

impl<'m> Fill<'m> {
    /// The fill that instruction `i` is.
    pub(crate) fn of(i: Value<'m>) -> Option<Self> {
        if !i.is_call() {
            return None;
        }
        let (name, args) = (i.callee()?.name(), i.args());
        let [_, from, bytes, volatile] = args[..] else { return None };
        let source = if name.starts_with("llvm.memset.") {
            Source::Byte(u8::try_from(from.as_u64()?).ok()?)
        } else if name.starts_with("llvm.memcpy.") {
            let global = from.underlying_object();
            let constants = global.is_global_variable() && global.is_constant_global();
            Source::Constants(Some(from).filter(|_| constants && from.is_constant())?)
        } else {
            return None;
        };
        (volatile.as_u64() == Some(0)).then_some(Self { bytes: bytes.as_u64()?, source })
    }
}

/// The offset that `user` adds to `address` is a multiple of this. `None` if `user` does not
/// compute an address from `address` by one index.
fn step<'m>(module: &Module<'_>, user: Value<'m>, address: Value<'m>) -> Option<u64> {
    match user.opcode() {
        Opcode::AddrSpaceCast => Some(0),
        Opcode::GetElementPtr if user.operand_count() == 2 && user.ty().is_pointer() => {
            let index = user.operand(1);
            let known = user.operand(0) == address && index.ty().is_int();
            let scale = module.size_of(user.gep_type());
            let constant = index.as_i64().map_or(1, i64::unsigned_abs);
            scale.checked_mul(constant).filter(|_| known)
        }
        _ => None,
    }
}

/// The size of the scalars of a type, if they fill their memory.
fn whole_element(module: &Module<'_>, ty: Type<'_>) -> Option<u64> {
    if !ty.is_scalar() && !ty.is_vector() {
        return None;
    }
    let (element, _) = elements_of(ty)?;
    let size = module.size_of(element);
    let whole = fills_bytes(module, element);
    (whole && size.is_power_of_two()).then_some(size)
}
