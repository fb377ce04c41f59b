//! The table of [`combine_atomics`](super): its layout and its code.
//!
//! Each thread that runs groups of a kernel has a table, which the runtime provides
//! ([`muxcl_types::combined`]). The first call of the entry point starts it, and after the last
//! call the runtime has its content written to memory. A header has the mask that selects an
//! entry, and a credit. An entry has a tag and the operand of the operations on an address. The
//! tag is 0 in a free entry, the address plus one after the first operation, and the address after
//! further ones. So an operation that finds its address in the tag has to change the operand only.
//!
//! A table is worth its cost only if operations find their addresses in it. It starts with 16
//! entries, which is enough for counters. Each operation that takes the entry of another address
//! costs credit. Without credit, a small table becomes a large one, with 1024 entries and a window.
//! In a large table, an entry that was used again gives credit back. A large table without credit
//! is switched off: the mask is 0, and the only entry is free, so all operations access memory.
//!
//! The window is for histograms. It has an operand for each element of four pages of memory, around
//! the address of the operation with which the table became large. An operation on an address in
//! these pages needs no tag, only a comparison with the window's first address. Elements without an
//! operation have the operation's identity.
//!
//! Even a table that is switched off costs each operation a look at it. So an entry point has two
//! forms, with and without a table, and a counter of groups that run without one. Calls whose
//! thread has a table that is switched off take the form without. A thread whose table was switched
//! off, or at the end had few entries with more than one operation, sets the counter to a multiple
//! of the number of its groups. A single group says little: many kernels have one operation of
//! each group on an address. Threads race for the counter, which changes the choice only.
//!
//! Not here: which operations may use a table ([`super::mark`]).

use std::fmt::Write as _;

use muxcl_llvm::{
    AtomicOp, Builder, Context, Function, LinkMode, Linkage, Module, Opcode, Type, Value,
};

use muxcl_types::combined::{COMBINED_ENTRIES, COMBINED_WINDOW};

use crate::{PassError, kernel_abi};

/// The start of the names of the table's functions.
pub(super) const PREFIX: &str = "muxcl.combine.";
/// The last part of the names.
const FUNCTIONS: [&str; 6] = ["start", "update", "miss", "flush", "finish", "combines"];
// The header, `muxcl_types::combined::CombinedHeader`: its size, and the offsets of its words
// behind the mask. A test in `muxcl_types` pins them.
const HEADER: u64 = 64;
const CREDIT_AT: u64 = 8;
const FINISH_AT: u64 = 16;
const PAUSED_AT: u64 = 24;
const GROUPS_AT: u64 = 32;
const WINDOW_AT: u64 = 40;
/// Bytes of the entries of a large table.
const LARGE: u64 = COMBINED_ENTRIES as u64;
/// Bytes of the window, a power of two.
const WINDOW: u64 = COMBINED_WINDOW as u64;
/// The alignment of the window's first address: the smallest page, which small buffers seldom
/// cross.
const PAGE: u64 = 4096;
/// Bytes of the window that are read and written together.
const LINE: u64 = 64;
/// Bytes of an entry: the tag, an operand, and space up to a power of two.
const ENTRY: u64 = 16;
/// The number of entries of a small table.
const SMALL: u64 = 16;
/// Entries that other addresses may take before a small table becomes a large one.
const SMALL_CREDIT: u64 = 64;
/// The most credit of a large table. A thread without reuse loses it after some 500 operations.
const CREDIT: u64 = 128;

/// The number of groups without a table for each group of a thread whose table was of little use.
const PAUSE: u32 = 63;
/// The number of entries that nobody used again, beyond those that were, with which a table was of
/// little use.
const UNUSED: u64 = 8;

/// The kind of the operations in a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Combined {
    op: AtomicOp,
    /// Width of the operands in bits: 32 or 64.
    bits: u32,
}

/// A table, and where a function finds the words of its header that each operation reads.
#[derive(Clone, Copy)]
pub(super) struct Header<'m> {
    table: Value<'m>,
    mask: Value<'m>,
    window: Value<'m>,
}

impl<'m> Header<'m> {
    /// The words are in the header itself.
    pub(super) fn of(b: &Builder<'m>, table: Value<'m>) -> Self {
        let window = b.byte_offset(table, table.cx().u64(WINDOW_AT));
        Self { table, mask: table, window }
    }

    /// The words are in private copies, which become registers. So no operation reads the header,
    /// except after a call of `miss`. No other function may change the header meanwhile.
    pub(super) fn copied(b: &Builder<'m>, table: Value<'m>) -> Self {
        let own = Self::of(b, table);
        let copy = |from: Value<'m>| {
            let ty = table.cx().i64();
            let slot = b.alloca(ty, "");
            b.store(b.load(ty, from, 8), slot, 8);
            slot
        };
        Self { table, mask: copy(own.mask), window: copy(own.window) }
    }
}

impl Combined {
    /// `None` if there is no table for such operations.
    pub(super) fn new(op: AtomicOp, bits: u32) -> Option<Self> {
        let op = match op {
            // The table adds the negated operand.
            AtomicOp::Sub => AtomicOp::Add,
            AtomicOp::Xchg => return None,
            op => op,
        };
        matches!(bits, 32 | 64).then_some(Self { op, bits })
    }

    /// LLVM's name of the operation.
    fn op(self) -> &'static str {
        match self.op {
            AtomicOp::And => "and",
            AtomicOp::Or => "or",
            AtomicOp::Xor => "xor",
            AtomicOp::Max => "max",
            AtomicOp::Min => "min",
            AtomicOp::UMax => "umax",
            AtomicOp::UMin => "umin",
            AtomicOp::Add | AtomicOp::Sub | AtomicOp::Xchg => "add",
        }
    }

    /// The operation on `old` and `%v` as IR.
    fn plain(self, old: &str) -> String {
        let bits = self.bits;
        match self.op() {
            name @ ("and" | "or" | "xor" | "add") => format!("{name} i{bits} {old}, %v"),
            name => {
                let name = if name.starts_with('u') { name.to_owned() } else { format!("s{name}") };
                format!("call i{bits} @llvm.{name}.i{bits}(i{bits} {old}, i{bits} %v)")
            }
        }
    }

    /// The operand that changes nothing.
    fn identity(self) -> i64 {
        let (min, max) =
            if self.bits == 32 { (i32::MIN.into(), i32::MAX.into()) } else { (i64::MIN, i64::MAX) };
        match self.op() {
            "and" | "umin" => -1,
            "max" => min,
            "min" => max,
            _ => 0,
        }
    }

    /// The name of one of the table's functions.
    fn name(self, what: &str) -> String {
        format!("{PREFIX}{what}.{}.i{}", self.op(), self.bits)
    }

    fn function<'m>(self, module: &'m Module<'_>, what: &str, params: &[Type<'m>]) -> Function<'m> {
        let cx = module.cx();
        module.get_or_add_function(&self.name(what), cx.function(cx.void(), params))
    }

    /// Loads the address of the thread's table, and starts the table if this is the thread's first
    /// call of the entry point `f`.
    pub(crate) fn start<'m>(
        self,
        module: &'m Module<'_>,
        b: &Builder<'m>,
        f: Function<'m>,
    ) -> Value<'m> {
        let cx = module.cx();
        let word = |from: Value<'m>, offset: u64| {
            b.load(cx.ptr(0), b.byte_offset(from, cx.u64(offset)), 8)
        };
        let table = word(word(f.param(1), kernel_abi::EXTRA), kernel_abi::EXTRA_COMBINED);
        let args = [table, counter(module, &f.name()), f.param(1)];
        b.call(self.function(module, "start", &args.map(Value::ty)), &args);
        table
    }

    /// Replaces an atomic operation by one on the table.
    pub(super) fn replace<'m>(self, module: &'m Module<'_>, i: Value<'m>, header: Header<'m>) {
        let Header { table, mask, window } = header;
        let b = Builder::before(i);
        let (pointer, mut v) = (i.operand(0), i.operand(1));
        if i.atomic_op() == Some(AtomicOp::Sub) {
            v = b.sub(v.ty().null(), v);
        }
        let args = [table, pointer, v, mask, window];
        b.call(self.function(module, "update", &args.map(Value::ty)), &args);
        i.erase();
    }

    /// The table's functions as IR.
    fn code(self) -> String {
        let Self { bits, .. } = self;
        let bytes = u64::from(bits / 8);
        let entry = ENTRY;
        let (small, large) = ((SMALL - 1) * entry, LARGE - entry);
        let small_bytes = SMALL * entry;
        // Consecutive elements have consecutive entries. Each page begins one entry further, so
        // that addresses a page apart differ.
        let up = (entry / bytes).trailing_zeros();
        let down = 12 - entry.trailing_zeros();
        let rmw = format!("atomicrmw {}", self.op());
        let plain = self.plain("%old");
        let in_window = self.plain("%old.element");
        let ty = format!("i{bits}");
        let identity = self.identity();
        let window = HEADER + LARGE;
        let line_count = LINE / bytes;
        let line = format!("<{line_count} x {ty}>");
        let window_mask = WINDOW - 1;
        let [start, update, miss, flush, finish, combines] = FUNCTIONS.map(|what| self.name(what));
        // The number of groups of a call.
        let at = [0, 8, 16].map(|at| kernel_abi::PER_CALL + at);
        let groups = format!(
            "  %x.at = getelementptr i8, ptr %sched, i64 {}
  %y.at = getelementptr i8, ptr %sched, i64 {}
  %z.at = getelementptr i8, ptr %sched, i64 {}
  %x = load i64, ptr %x.at, align 8
  %y = load i64, ptr %y.at, align 8
  %z = load i64, ptr %z.at, align 8
  %xy = mul i64 %x, %y
  %groups = mul i64 %xy, %z",
            at[0], at[1], at[2]
        );
        let (extra, combined) = (kernel_abi::EXTRA, kernel_abi::EXTRA_COMBINED);
        let mut text = String::new();
        let _ = write!(
            text,
            "
define void @{start}(ptr %table, ptr %paused, ptr %sched) alwaysinline nounwind {{
{groups}
  %groups.at = getelementptr i8, ptr %table, i64 {GROUPS_AT}
  %finish.at = getelementptr i8, ptr %table, i64 {FINISH_AT}
  %known = load ptr, ptr %finish.at, align 8
  %is.new = icmp eq ptr %known, null
  br i1 %is.new, label %new, label %old
new:
  store i64 {small}, ptr %table, align 64
  %credit = getelementptr i8, ptr %table, i64 {CREDIT_AT}
  store i64 {SMALL_CREDIT}, ptr %credit, align 8
  store ptr @{finish}, ptr %finish.at, align 8
  %paused.at = getelementptr i8, ptr %table, i64 {PAUSED_AT}
  store ptr %paused, ptr %paused.at, align 8
  store i64 %groups, ptr %groups.at, align 8
  %window.at = getelementptr i8, ptr %table, i64 {WINDOW_AT}
  store i64 -1, ptr %window.at, align 8
  %entries = getelementptr i8, ptr %table, i64 {HEADER}
  call void @llvm.memset.p0.i64(ptr align 64 %entries, i8 0, i64 {small_bytes}, i1 false)
  ret void
old:
  %before = load i64, ptr %groups.at, align 8
  %all = add i64 %before, %groups
  store i64 %all, ptr %groups.at, align 8
  ret void
}}

define void @{update}(ptr %table, ptr addrspace(1) %p, {ty} %v, ptr %mask.copy, ptr %window.copy) \
alwaysinline nounwind {{
  %a = ptrtoint ptr addrspace(1) %p to i64
  %first = load i64, ptr %window.copy, align 8
  %offset = sub i64 %a, %first
  %inside = icmp ult i64 %offset, {WINDOW}
  br i1 %inside, label %element, label %look, !prof !0
element:
  %window = getelementptr i8, ptr %table, i64 {window}
  %in.window = getelementptr i8, ptr %window, i64 %offset
  %old.element = load {ty}, ptr %in.window, align {bytes}
  %new.element = {in_window}
  store {ty} %new.element, ptr %in.window, align {bytes}
  ret void
look:
  %low = shl i64 %a, {up}
  %high = lshr i64 %a, {down}
  %sum = add i64 %low, %high
  %mask = load i64, ptr %mask.copy, align 8
  %at = and i64 %sum, %mask
  %entries = getelementptr i8, ptr %table, i64 {HEADER}
  %entry = getelementptr i8, ptr %entries, i64 %at
  %tag = load i64, ptr %entry, align 16
  %hit = icmp eq i64 %tag, %a
  br i1 %hit, label %combine, label %other, !prof !0
combine:
  %operand = getelementptr i8, ptr %entry, i64 8
  %old = load {ty}, ptr %operand, align {bytes}
  %new = {plain}
  store {ty} %new, ptr %operand, align {bytes}
  ret void
other:
  %off = icmp eq i64 %mask, 0
  br i1 %off, label %direct, label %miss
direct:
  %1 = {rmw} ptr addrspace(1) %p, {ty} %v monotonic, align {bytes}
  ret void
miss:
  call void @{miss}(ptr %table, ptr %entry, ptr addrspace(1) %p, {ty} %v)
  %mask.next = load i64, ptr %table, align 64
  store i64 %mask.next, ptr %mask.copy, align 8
  %window.at = getelementptr i8, ptr %table, i64 {WINDOW_AT}
  %window.next = load i64, ptr %window.at, align 8
  store i64 %window.next, ptr %window.copy, align 8
  ret void
}}

; No `preserve_allcc`: with AVX-512, LLVM 22 does not keep the caller's vectors and masks.
define void @{miss}(ptr %table, ptr %entry, ptr addrspace(1) %p, {ty} %v) \
noinline cold nounwind {{
  %tag = load i64, ptr %entry, align 16
  %operand = getelementptr i8, ptr %entry, i64 8
  %old = load {ty}, ptr %operand, align {bytes}
  %a = ptrtoint ptr addrspace(1) %p to i64
  %first = or i64 %a, 1
  %second = icmp eq i64 %tag, %first
  br i1 %second, label %combine, label %other
combine:
  %new = {plain}
  store {ty} %new, ptr %operand, align {bytes}
  store i64 %a, ptr %entry, align 16
  ret void
other:
  %free = icmp eq i64 %tag, 0
  br i1 %free, label %insert, label %evict
evict:
  %tag.address = and i64 %tag, -2
  %q = inttoptr i64 %tag.address to ptr addrspace(1)
  %1 = {rmw} ptr addrspace(1) %q, {ty} %old monotonic, align {bytes}
  %mask = load i64, ptr %table, align 64
  %is.small = icmp eq i64 %mask, {small}
  %once = trunc i64 %tag to i1
  %reused = xor i1 %once, true
  %is.large = xor i1 %is.small, true
  %useful = and i1 %reused, %is.large
  %change = select i1 %useful, i64 2, i64 -1
  %credit.at = getelementptr i8, ptr %table, i64 {CREDIT_AT}
  %credit = load i64, ptr %credit.at, align 8
  %sum = add i64 %credit, %change
  %below = icmp slt i64 %sum, {CREDIT}
  %next = select i1 %below, i64 %sum, i64 {CREDIT}
  store i64 %next, ptr %credit.at, align 8
  %spent = icmp slt i64 %next, 0
  br i1 %spent, label %change.mode, label %insert
insert:
  store i64 %first, ptr %entry, align 16
  store {ty} %v, ptr %operand, align {bytes}
  ret void
change.mode:
  store i64 0, ptr %entry, align 16
  %ignored = call i64 @{flush}(ptr %table)
  %entries = getelementptr i8, ptr %table, i64 {HEADER}
  %window.at = getelementptr i8, ptr %table, i64 {WINDOW_AT}
  br i1 %is.small, label %grow, label %stop
grow:
  call void @llvm.memset.p0.i64(ptr align 64 %entries, i8 0, i64 {LARGE}, i1 false)
  store i64 {large}, ptr %table, align 64
  store i64 {CREDIT}, ptr %credit.at, align 8
  ; The page of the address, the one before it, and two after it.
  %page = and i64 %a, -{PAGE}
  %window.first = sub i64 %page, {PAGE}
  store i64 %window.first, ptr %window.at, align 8
  %window = getelementptr i8, ptr %table, i64 {window}
  br label %clear
clear:
  %offset = phi i64 [ 0, %grow ], [ %offset.next, %clear ]
  %line = getelementptr i8, ptr %window, i64 %offset
  store {line} splat ({ty} {identity}), ptr %line, align {LINE}
  %offset.next = add i64 %offset, {LINE}
  %more = icmp ult i64 %offset.next, {WINDOW}
  br i1 %more, label %clear, label %direct
stop:
  store i64 -1, ptr %window.at, align 8
  store i64 0, ptr %entries, align 64
  store i64 0, ptr %table, align 64
  br label %direct
direct:
  %2 = {rmw} ptr addrspace(1) %p, {ty} %v monotonic, align {bytes}
  ret void
}}

; Whether this call of an entry point uses the table.
define i1 @{combines}(ptr %paused, ptr %sched) alwaysinline nounwind {{
  %left = load atomic i64, ptr %paused monotonic, align 8
  %now = icmp eq i64 %left, 0
  br i1 %now, label %look, label %later
look:
  %extra.at = getelementptr i8, ptr %sched, i64 {extra}
  %extra = load ptr, ptr %extra.at, align 8
  %table.at = getelementptr i8, ptr %extra, i64 {combined}
  %table = load ptr, ptr %table.at, align 8
  %finish.at = getelementptr i8, ptr %table, i64 {FINISH_AT}
  %finish = load ptr, ptr %finish.at, align 8
  %is.new = icmp eq ptr %finish, null
  %mask = load i64, ptr %table, align 64
  %is.on = icmp ne i64 %mask, 0
  %use = or i1 %is.new, %is.on
  ret i1 %use
later:
{groups}
  %less = call i64 @llvm.usub.sat.i64(i64 %left, i64 %groups)
  store atomic i64 %less, ptr %paused monotonic, align 8
  ret i1 false
}}

define void @{finish}(ptr %table) noinline nounwind {{
  %unused = call i64 @{flush}(ptr %table)
  %mask = load i64, ptr %table, align 64
  %off = icmp eq i64 %mask, 0
  %groups.at = getelementptr i8, ptr %table, i64 {GROUPS_AT}
  %groups = load i64, ptr %groups.at, align 8
  %several = icmp ugt i64 %groups, 1
  %many = icmp sgt i64 %unused, {UNUSED}
  %few.used = and i1 %several, %many
  %useless = or i1 %off, %few.used
  br i1 %useless, label %pause, label %end
pause:
  %more = mul i64 %groups, {PAUSE}
  %paused.at = getelementptr i8, ptr %table, i64 {PAUSED_AT}
  %paused = load ptr, ptr %paused.at, align 8
  store atomic i64 %more, ptr %paused monotonic, align 8
  br label %end
end:
  ret void
}}

; The result is the number of entries that were not used again, minus the number of those that were.
define i64 @{flush}(ptr %table) noinline nounwind {{
  %mask = load i64, ptr %table, align 64
  %entries = getelementptr i8, ptr %table, i64 {HEADER}
  %number = ptrtoint ptr %table to i64
  ; Threads begin at different entries, so that they do not meet at one address.
  %start = lshr i64 %number, 19
  br label %next
next:
  %n = phi i64 [ 0, %0 ], [ %n.next, %done ]
  %unused = phi i64 [ 0, %0 ], [ %unused.next, %done ]
  %moved = add i64 %n, %start
  %at = and i64 %moved, %mask
  %entry = getelementptr i8, ptr %entries, i64 %at
  %tag = load i64, ptr %entry, align 16
  %free = icmp eq i64 %tag, 0
  br i1 %free, label %done, label %write
write:
  %operand = getelementptr i8, ptr %entry, i64 8
  %old = load {ty}, ptr %operand, align {bytes}
  %tag.address = and i64 %tag, -2
  %q = inttoptr i64 %tag.address to ptr addrspace(1)
  %1 = {rmw} ptr addrspace(1) %q, {ty} %old monotonic, align {bytes}
  %once = trunc i64 %tag to i1
  %change = select i1 %once, i64 1, i64 -1
  %sum = add i64 %unused, %change
  br label %done
done:
  %unused.next = phi i64 [ %unused, %next ], [ %sum, %write ]
  %n.next = add i64 %n, {entry}
  %more = icmp ule i64 %n.next, %mask
  br i1 %more, label %next, label %end
end:
  %window.at = getelementptr i8, ptr %table, i64 {WINDOW_AT}
  %window.first = load i64, ptr %window.at, align 8
  %no.window = icmp eq i64 %window.first, -1
  br i1 %no.window, label %return, label %window
window:
  %elements = getelementptr i8, ptr %table, i64 {window}
  %line.start = and i64 %start, -{LINE}
  br label %line
line:
  %l = phi i64 [ 0, %window ], [ %l.next, %line.done ]
  %l.moved = add i64 %l, %line.start
  %l.offset = and i64 %l.moved, {window_mask}
  %line.at = getelementptr i8, ptr %elements, i64 %l.offset
  %operands = load {line}, ptr %line.at, align {LINE}
  %used = icmp ne {line} %operands, splat ({ty} {identity})
  %used.bits = bitcast <{line_count} x i1> %used to i{line_count}
  %none = icmp eq i{line_count} %used.bits, 0
  br i1 %none, label %line.done, label %element
element:
  %e = phi i64 [ 0, %line ], [ %e.next, %element.done ]
  %e.offset = add i64 %l.offset, %e
  %e.at = getelementptr i8, ptr %elements, i64 %e.offset
  %e.operand = load {ty}, ptr %e.at, align {bytes}
  %e.none = icmp eq {ty} %e.operand, {identity}
  br i1 %e.none, label %element.done, label %element.write
element.write:
  %e.address = add i64 %window.first, %e.offset
  %e.q = inttoptr i64 %e.address to ptr addrspace(1)
  %2 = {rmw} ptr addrspace(1) %e.q, {ty} %e.operand monotonic, align {bytes}
  br label %element.done
element.done:
  %e.next = add i64 %e, {bytes}
  %e.more = icmp ult i64 %e.next, {LINE}
  br i1 %e.more, label %element, label %line.done
line.done:
  %l.next = add i64 %l, {LINE}
  %l.more = icmp ult i64 %l.next, {WINDOW}
  br i1 %l.more, label %line, label %return
return:
  ret i64 %unused.next
}}

declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare i64 @llvm.usub.sat.i64(i64, i64)

; A histogram's operations follow each other without a jump.
!0 = !{{!\"branch_weights\", i32 1000, i32 1}}
"
        );
        if let Some(name) = plain.split(['@', '(']).nth(1) {
            let _ = writeln!(text, "declare {ty} @{name}({ty}, {ty})");
        }
        text
    }
}

/// The counter of the groups of an entry point that run without a table.
fn counter<'m>(module: &'m Module<'_>, symbol: &str) -> Value<'m> {
    let name = format!("{PREFIX}paused.{symbol}");
    if let Some(known) = module.global(&name) {
        return known;
    }
    let ty = module.cx().i64();
    let counter = module.add_global(&name, ty, 0);
    counter.set_initializer(Some(ty.null()));
    counter.set_linkage(Linkage::Internal);
    counter
}

/// The call in an entry point that starts its table.
pub(super) fn start_in(f: Function<'_>) -> Option<Value<'_>> {
    calls_of(f, "start").first().copied()
}

/// The calls in `f` of one of the table's functions.
fn calls_of<'m>(f: Function<'m>, what: &str) -> Vec<Value<'m>> {
    let start = format!("{PREFIX}{what}.");
    let is = |i: &Value<'m>| {
        i.opcode() == Opcode::Call && i.callee().is_some_and(|f| f.name().starts_with(&start))
    };
    f.instructions().into_iter().filter(is).collect()
}

/// Removes the table of an entry point.
pub(super) fn without(f: Function<'_>) {
    for call in calls_of(f, "start") {
        let table = call.args()[0];
        call.erase();
        table.replace_all_uses(table.ty().poison());
        table.erase();
    }
}

/// Makes the two forms of the entry point `f`, which calls `group` for a group, and turns `f` into
/// the choice between them. The form with the table keeps the instructions of `f`.
pub(super) fn two_forms<'m>(
    module: &'m Module<'_>,
    combined: Combined,
    f: Function<'m>,
    group: Option<Function<'m>>,
) {
    let cx = module.cx();
    let symbol = f.name();
    let combining = module.add_function(&format!("{symbol}.combining"), f.ty());
    combining.copy_attributes(f);
    combining.take_body(f);
    let direct = combining.duplicate(&format!("{symbol}.direct"));
    without(direct);
    if let Some(group) = group {
        let own = group.duplicate(&format!("{symbol}.direct{}", kernel_abi::GROUP_SUFFIX));
        own.set_linkage(Linkage::Internal);
        for call in direct.instructions() {
            if call.opcode() == Opcode::Call && call.callee() == Some(group) {
                let b = Builder::before(call);
                b.call(own, &call.args());
                call.erase();
            }
        }
    }
    let [entry, pause, on] = ["entry", "direct", "combining"].map(|name| f.append_block(name));
    let b = Builder::at_end(entry);
    let args = [counter(module, &symbol), f.param(1)];
    let ty = cx.function(cx.i1(), &args.map(Value::ty));
    let choice = b.call(module.get_or_add_function(&combined.name("combines"), ty), &args);
    b.cond_br(choice, on, pause);
    for (block, form) in [(pause, direct), (on, combining)] {
        form.set_linkage(Linkage::Internal);
        form.add_attribute("noinline");
        let b = Builder::at_end(block);
        b.call(form, &f.params());
        b.ret_void();
    }
}

/// Defines the functions that the module calls, and inlines the short ones.
pub(super) fn define<'c>(context: &'c Context, module: &mut Module<'c>) -> Result<(), PassError> {
    let ops = [
        AtomicOp::Add,
        AtomicOp::And,
        AtomicOp::Or,
        AtomicOp::Xor,
        AtomicOp::Max,
        AtomicOp::Min,
        AtomicOp::UMax,
        AtomicOp::UMin,
    ];
    let kinds = ops.into_iter().flat_map(|op| [32, 64].map(|bits| Combined { op, bits }));
    for kind in kinds {
        if module.function(&kind.name("start")).is_none() {
            continue;
        }
        let source = Module::parse_text(context, &kind.code())?;
        source.set_triple(&module.triple());
        source.set_layout(&module.layout());
        module.link(source, LinkMode::All)?;
        for what in FUNCTIONS {
            let Some(f) = module.function(&kind.name(what)) else { continue };
            f.set_linkage(Linkage::Internal);
            if matches!(what, "start" | "update" | "combines") {
                for call in f.direct_calls() {
                    if !call.inline_call() {
                        let what = "the table's code cannot be inlined".to_owned();
                        return Err(PassError::Internal { pass: "combine-atomics", what });
                    }
                }
                f.erase();
            }
        }
    }
    Ok(())
}
