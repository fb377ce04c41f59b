//! `masked-accesses`: faster masked loads and stores of consecutive elements for x86-64 processors
//! without AVX-512.
//!
//! AVX2 has masked loads and stores of elements of 32 and 64 bits only. Its masked stores take
//! about 20 microinstructions on AMD's processors. For elements of 8 and 16 bits, LLVM branches for
//! each lane. So the pass puts a test in front of a masked access, and an ordinary access beside
//! it:
//! * The ordinary store runs if all lanes are in the mask.
//! * The ordinary load, of 8 or 16 bits from global memory, runs if at least one lane is in the
//!   mask and the whole vector is in one page of memory. That lane's access proves that the page
//!   can be read, so the load cannot fault. A select drops the lanes outside the mask.
//!
//! Otherwise the masked access runs. Invariant: no byte is written that the masked access would not
//! write. The pass runs after all optimisations. They take a load beyond the end of an object for
//! undefined behaviour and would remove code. Not here: constant masks, which code generation
//! handles well, and accesses that are not consecutive.

use muxcl_llvm::{Block, Builder, Function, IntPredicate, Module, Value};

use crate::PassError;

/// The smallest page of memory of the processors, in bytes.
const PAGE: u64 = 4096;
/// The address space of global memory.
const GLOBAL: u32 = 1;
/// The most lanes of a mask that is tested as one integer.
const MOST_LANES: u32 = 64;

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
            each(f, 2, store);
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
        let fits = mask.ty().is_vector() && mask.ty().vector_len() <= MOST_LANES;
        if fits && !mask.is_constant() {
            change(i, mask);
        }
    }
}

/// True if `f` loads elements of 8 or 16 bits from global memory.
fn is_narrow<'m>(module: &'m Module<'_>, f: Function<'m>) -> bool {
    let (vector, from) = (f.ty().ret(), f.ty().params()[0]);
    vector.is_vector() && from.address_space() == GLOBAL && module.size_of(vector.element()) < 4
}

/// The mask as an integer with a bit for each lane. It is frozen, because a branch on an undefined
/// bit has undefined behaviour, and an undefined lane of a masked access has not.
fn bits<'m>(b: &Builder<'m>, mask: Value<'m>) -> Value<'m> {
    b.freeze(b.bitcast(mask, mask.cx().int(mask.ty().vector_len())))
}

/// Makes `i` run only if `condition` is false. Returns a builder in a new block, which runs if the
/// condition is true, and the block after both.
fn branch<'m>(i: Value<'m>, condition: Value<'m>) -> (Builder<'m>, Block<'m>) {
    let before = i.block();
    let masked = before.split(i, "masked");
    // A terminator follows the call, at the latest.
    let done = i.next().map_or(masked, |next| masked.split(next, "accessed"));
    let ordinary = before.function().append_block("ordinary");
    if let Some(jump) = before.terminator() {
        Builder::before(jump).cond_br(condition, ordinary, masked);
        jump.erase();
    }
    let end = Builder::at_end(ordinary).br(done);
    (Builder::before(end), done)
}

/// Adds the ordinary store beside the masked store `i`.
fn store<'m>(i: Value<'m>, mask: Value<'m>) {
    let (value, address) = (i.operand(0), i.operand(1));
    let b = Builder::before(i);
    let bits = bits(&b, mask);
    let every_lane = bits.ty().constant(u64::MAX >> (MOST_LANES - bits.ty().int_width()));
    let (ordinary, _) = branch(i, b.icmp(IntPredicate::Eq, bits, every_lane));
    ordinary.masked_store(value, address, i.arg_align(1), None, i);
}

/// Adds the ordinary load beside the masked load `i`.
fn load<'m>(module: &'m Module<'_>, i: Value<'m>, mask: Value<'m>) {
    let (address, others, ty, cx) = (i.operand(0), i.operand(2), i.ty(), module.cx());
    let b = Builder::before(i);
    let bits = bits(&b, mask);
    let any = b.icmp(IntPredicate::Ne, bits, bits.ty().null());
    let offset = b.and(b.ptr_to_int(address, cx.i64()), cx.u64(PAGE - 1));
    let in_page = b.icmp(IntPredicate::Ule, offset, cx.u64(PAGE - module.size_of(ty)));
    let (ordinary, done) = branch(i, b.and(any, in_page));
    let loaded = ordinary.masked_load(ty, address, i.arg_align(0), None, i);
    let Some(first) = done.first() else { return };
    let phi = Builder::before(first).phi(ty, "");
    i.replace_all_uses(phi);
    phi.add_incoming(ordinary.select(mask, loaded, others), ordinary.block());
    phi.add_incoming(i, i.block());
}
