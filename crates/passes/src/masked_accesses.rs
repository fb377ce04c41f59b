//! `masked-accesses`: faster masked loads and stores of consecutive elements for x86-64 processors
//! without AVX-512.
//!
//! AVX2 has masked loads and stores of 32 and 64 bits only, and its masked stores take about 20
//! microinstructions on AMD's processors. LLVM lowers those of bytes and words to a branch for each
//! lane. So the pass adds faster ways:
//! * A store becomes an ordinary one if all lanes are in the mask, as they are inside an image.
//! * A load of bytes or words from global memory becomes an ordinary one if a lane is in the mask
//!   and the whole vector is in one page of memory. The page of that lane can be read, so the load
//!   cannot fault. The other lanes' values are not used.
//!
//! Otherwise the masked access remains, in a block of its own. Invariant: no byte is written that
//! the masked access would not write. The pass runs after all optimisations, because these may draw
//! conclusions from a load beyond the end of an object. Not here: constant masks, which code
//! generation handles well, and accesses that are not consecutive.

use muxcl_llvm::{Block, Builder, Function, IntPredicate, Module, Value};

use crate::PassError;

/// The smallest page of memory of the processors, in bytes.
const PAGE: u64 = 4096;
/// The address space of global memory.
const GLOBAL: u32 = 1;

/// Runs the pass.
///
/// # Errors
/// Never fails today; all passes have this signature.
pub fn run(module: &Module<'_>) -> Result<(), PassError> {
    for f in module.functions() {
        if !f.is_intrinsic() {
            continue;
        }
        let name = f.name();
        if name.starts_with("llvm.masked.store.") {
            each(f, 2, |i, mask| store(i, mask));
        } else if name.starts_with("llvm.masked.load.") && is_narrow(module, f) {
            each(f, 1, |i, mask| load(module, i, mask));
        }
    }
    Ok(())
}

/// Calls `change` with each call of `f` and its mask, which is argument `place`.
fn each<'m>(f: Function<'m>, place: u32, change: impl Fn(Value<'m>, Value<'m>)) {
    for i in f.direct_calls() {
        let mask = i.operand(place);
        if mask.ty().is_vector() && mask.ty().vector_len() <= 64 && !mask.is_constant() {
            change(i, mask);
        }
    }
}

/// True if the processors have no masked load of the elements that `f` loads from global memory.
fn is_narrow<'m>(module: &'m Module<'_>, f: Function<'m>) -> bool {
    let (vector, from) = (f.ty().ret(), f.ty().params()[0]);
    vector.is_vector()
        && from.address_space() == GLOBAL
        && module.size_of(vector.element()) < 4
        && module.size_of(vector) <= PAGE / 8
}

/// The mask as an integer with a bit for each lane. A branch on an undefined lane would be
/// undefined, while the access is not.
fn bits<'m>(b: &Builder<'m>, mask: Value<'m>) -> Value<'m> {
    b.freeze(b.bitcast(mask, mask.cx().int(mask.ty().vector_len())))
}

/// Puts `i` into a block of its own, which runs if the condition is false. If it is true, another
/// block runs. Returns a builder at the start of that block, and the block where both meet.
fn branch<'m>(i: Value<'m>, whole: Value<'m>) -> (Builder<'m>, Block<'m>) {
    let before = i.block();
    let masked = before.split(i, "masked");
    // The call of an intrinsic is no terminator, so an instruction follows.
    let done = i.next().map_or(masked, |next| masked.split(next, "accessed"));
    let together = before.function().append_block("whole");
    if let Some(jump) = before.terminator() {
        Builder::before(jump).cond_br(whole, together, masked);
        jump.erase();
    }
    let end = Builder::at_end(together).br(done);
    (Builder::before(end), done)
}

/// Adds the ordinary store.
fn store<'m>(i: Value<'m>, mask: Value<'m>) {
    let (value, address) = (i.operand(0), i.operand(1));
    let b = Builder::before(i);
    let bits = bits(&b, mask);
    let all = b.icmp(
        IntPredicate::Eq,
        bits,
        bits.ty().constant(u64::MAX >> (64 - bits.ty().int_width())),
    );
    let (whole, _) = branch(i, all);
    whole.masked_store(value, address, i.arg_align(1), None, i);
}

/// Adds the ordinary load.
fn load<'m>(module: &'m Module<'_>, i: Value<'m>, mask: Value<'m>) {
    let (address, others, ty, cx) = (i.operand(0), i.operand(2), i.ty(), module.cx());
    let b = Builder::before(i);
    let bits = bits(&b, mask);
    let any = b.icmp(IntPredicate::Ne, bits, bits.ty().null());
    let place = b.and(b.ptr_to_int(address, cx.i64()), cx.u64(PAGE - 1));
    let inside = b.icmp(IntPredicate::Ule, place, cx.u64(PAGE - module.size_of(ty)));
    let (whole, done) = branch(i, b.and(any, inside));
    let loaded = whole.masked_load(ty, address, i.arg_align(0), None, i);
    let Some(first) = done.first() else { return };
    let phi = Builder::before(first).phi(ty, "");
    i.replace_all_uses(phi);
    phi.add_incoming(whole.select(mask, loaded, others), whole.block());
    phi.add_incoming(i, i.block());
}
