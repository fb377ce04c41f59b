//! `printf`: turns calls into records for the host, and makes the table that decodes the records.
//!
//! The pass runs after inlining and simplification, when formats that pass through variables and
//! helper functions are literals. Each call fills a record (`muxcl_types::printf`) on the stack and
//! passes it on in one call: on the host CPU to the runtime, behind a HAL to a function made here,
//! which reserves space in the device's buffer by an atomic add. A call with a wrong format returns
//! -1, as the specification requires. Not here: text (`muxcl-printf`).

use std::collections::BTreeMap;

use muxcl_llvm::{
    AtomicOp, Builder, Function, IntPredicate, Linkage, Module, Opcode, Ordering, TypeKind, Value,
};
use muxcl_printf::{Count, Piece, parse};
use muxcl_types::printf::{Arg, Call, Class, RECORD_HEADER, Table};

use crate::PassError;
use crate::kernel_abi::Abi;
use crate::names::{PRINTF, PRINTF_STREAM};

/// The function of the host's runtime: `i32 (i64 stream, ptr record, i32 bytes)`.
pub const HOST_WRITE: &str = "muxcl_printf_write";
const DEVICE_WRITE: &str = "__muxcl_printf_write";

/// Results of [`run`] besides the module.
#[derive(Debug, Default)]
pub struct Lowered {
    /// The table that decodes the records.
    pub table: Table,
    /// Warnings for the build log, one for each kernel and reason.
    pub warnings: Vec<String>,
}

/// Runs the pass. A string for `%s` that is unknown at compile time prints as `(null)`, with a
/// warning.
///
/// # Errors
/// A format that is unknown at compile time, or an argument whose type has no conversion.
pub fn run(module: &Module<'_>, abi: Abi) -> Result<Lowered, PassError> {
    let mut lowering = Lowering { module, abi, out: Lowered::default(), strings: BTreeMap::new() };
    let Some(printf) = module.function(PRINTF).filter(|f| f.is_declaration()) else {
        return Ok(lowering.out);
    };
    // In program order: the numbers of the calls are part of the output.
    let calls = module.definitions().into_iter().flat_map(Function::instructions);
    for call in calls.filter(|i| i.is_call() && i.callee() == Some(printf)) {
        let result = lowering.call(call)?;
        call.replace_all_uses(result);
        call.erase();
    }
    if !printf.has_uses() {
        printf.erase();
    }
    Ok(lowering.out)
}

struct Lowering<'m, 'c> {
    module: &'m Module<'c>,
    abi: Abi,
    out: Lowered,
    strings: BTreeMap<Vec<u8>, u32>,
}

impl<'m> Lowering<'m, '_> {
    /// Fills the record of a call in front of it. Returns the value that replaces the call's
    /// result.
    fn call(&mut self, call: Value<'m>) -> Result<Value<'m>, PassError> {
        let cx = self.module.cx();
        let args = call.args();
        let (format, args) =
            args.split_first().ok_or_else(|| unsupported(call, "has no format"))?;
        let format = self
            .module
            .constant_string(*format)
            .ok_or_else(|| unsupported(call, "needs a literal as its format"))?;
        let Ok(pieces) = parse(&format) else { return Ok(cx.i32().constant(u64::from(u32::MAX))) };

        let b = Builder::before(call);
        let mut record = Call { format, args: Vec::new(), bytes: RECORD_HEADER };
        let mut values = Vec::new();
        for (value, letter) in args.iter().zip(letters(&pieces)) {
            let (value, class) = self.argument(&b, call, *value, letter)?;
            let ty = value.ty();
            let (element, count) =
                if ty.is_vector() { (ty.element(), ty.vector_len()) } else { (ty, 1) };
            let class =
                class.unwrap_or(if element.is_int() { Class::Integer } else { Class::Float });
            let size = self.module.size_of(element);
            let (Ok(size), Ok(count)) = (u8::try_from(size), u8::try_from(count)) else {
                return Err(unsupported(call, "has an argument of a type that it cannot print"));
            };
            if !matches!(
                element.kind(),
                TypeKind::Int | TypeKind::Half | TypeKind::Float | TypeKind::Double
            ) || size > 8
            {
                return Err(unsupported(call, "has an argument of a type that it cannot print"));
            }
            let at = record.bytes.next_multiple_of(u32::from(size.max(1)));
            record.args.push(Arg { at, class, size, count });
            record.bytes = at + u32::from(size) * u32::from(count);
            values.push((value, at, size));
        }
        record.bytes = record.bytes.next_multiple_of(8);
        let number = u64::try_from(self.out.table.calls.len()).unwrap_or(0);

        let entry = call.block().function().entry();
        let first = entry.first_insertion_point().unwrap_or(call);
        let space = Builder::before(first)
            .alloca(cx.array(cx.i64(), u64::from(record.bytes / 8)), "printf");
        space.set_align(8);
        let put = |at: u32, v: Value<'m>, align: u32| {
            b.store(v, b.byte_offset(space, cx.u64(at.into())), align);
        };
        put(0, cx.u32(record.bytes), 4);
        put(4, cx.i32().constant(number), 4);
        for (value, at, size) in values {
            put(at, value, size.into());
        }
        let stream = self.module.get_or_add_function(PRINTF_STREAM, cx.function(cx.i64(), &[]));
        stream.add_attribute("nounwind");
        let write = self.write();
        let stream = b.call(stream, &[]);
        let result = b.call(write, &[stream, space, cx.u32(record.bytes)]);
        self.out.table.calls.push(record);
        Ok(result)
    }

    /// The value to store in the record, and its class if the value's type does not determine the
    /// class.
    fn argument(
        &mut self,
        b: &Builder<'m>,
        call: Value<'m>,
        value: Value<'m>,
        letter: u8,
    ) -> Result<(Value<'m>, Option<Class>), PassError> {
        let cx = self.module.cx();
        if value.ty().is_pointer() {
            if letter == b's' {
                return Ok((self.string(b, call, value, 0)?, Some(Class::String)));
            }
            return Ok((b.ptr_to_int(value, cx.i64()), Some(Class::Pointer)));
        }
        if value.ty().is_int() && value.ty().int_width() == 1 {
            return Ok((b.zext(value, cx.i32()), None));
        }
        Ok((value, None))
    }

    /// The index of the string that a pointer refers to; looks through selects.
    fn string(
        &mut self,
        b: &Builder<'m>,
        call: Value<'m>,
        pointer: Value<'m>,
        depth: u32,
    ) -> Result<Value<'m>, PassError> {
        let cx = self.module.cx();
        if let Some(text) = self.module.constant_string(pointer) {
            let next = u32::try_from(self.out.table.strings.len()).unwrap_or(u32::MAX);
            let number = *self.strings.entry(text.clone()).or_insert(next);
            if number == next {
                self.out.table.strings.push(text);
            }
            return Ok(cx.u32(number));
        }
        if pointer.is_null() || pointer.is_undef() {
            return Ok(cx.i32().constant(u64::from(u32::MAX)));
        }
        if depth < 16 && pointer.is_instruction() {
            match pointer.opcode() {
                Opcode::Select => {
                    let parts = pointer.operands();
                    let (yes, no) = (
                        self.string(b, call, parts[1], depth + 1)?,
                        self.string(b, call, parts[2], depth + 1)?,
                    );
                    return Ok(b.select(parts[0], yes, no));
                }
                Opcode::Phi => {
                    let number = Builder::before(pointer).phi(cx.i32(), "string");
                    for (value, block) in pointer.incoming() {
                        let at = block.terminator().unwrap_or(call);
                        let v = if value == pointer {
                            number
                        } else {
                            self.string(&Builder::before(at), call, value, depth + 1)?
                        };
                        number.add_incoming(v, block);
                    }
                    return Ok(number);
                }
                Opcode::AddrSpaceCast => {
                    return self.string(b, call, pointer.operands()[0], depth + 1);
                }
                _ => {}
            }
        }
        let warning = sentence(call, "has a string for %s that is no literal, and prints (null)");
        if !self.out.warnings.contains(&warning) {
            self.out.warnings.push(warning);
        }
        Ok(cx.i32().constant(u64::from(u32::MAX)))
    }

    fn write(&self) -> Function<'m> {
        let cx = self.module.cx();
        let ty = cx.function(cx.i32(), &[cx.i64(), cx.ptr(0), cx.i32()]);
        if self.abi == Abi::Host {
            let f = self.module.get_or_add_function(HOST_WRITE, ty);
            f.add_attribute("nounwind");
            return f;
        }
        match self.module.function(DEVICE_WRITE) {
            Some(f) => f,
            None => device_write(self.module, self.module.add_function(DEVICE_WRITE, ty)),
        }
    }
}

/// Makes `i32 (i64 stream, ptr record, i32 bytes)` for a device: see
/// `muxcl_types::printf::BufferHeader`.
fn device_write<'m>(module: &'m Module<'_>, f: Function<'m>) -> Function<'m> {
    let cx = module.cx();
    f.set_linkage(Linkage::Internal);
    for name in ["nounwind", "noinline"] {
        f.add_attribute(name);
    }
    let (stream, record, bytes) = (f.param(0), f.param(1), f.param(2));
    let [entry, look, reserve, check, copy, border, end, lost] =
        ["entry", "look", "reserve", "check", "copy", "border", "end", "lost"]
            .map(|name| f.append_block(name));
    let minus_one = cx.i32().constant(u64::from(u32::MAX));

    let b = Builder::at_end(entry);
    let header = b.int_to_ptr(b.zext_or_trunc(stream, cx.i64()), cx.ptr(1));
    let word = |b: &Builder<'m>, n: u64| b.byte_offset(header, cx.u64(4 * n));
    b.cond_br(b.icmp(IntPredicate::Eq, stream, cx.u64(0)), lost, look);
    // Reservations stop when the buffer is full, so the sum of the requested sizes cannot wrap.
    let b = Builder::at_end(look);
    let used = b.load(cx.i32(), word(&b, 0), 4);
    used.set_volatile(true);
    let capacity = b.load(cx.i32(), word(&b, 2), 4);
    b.cond_br(b.icmp(IntPredicate::Ult, used, capacity), reserve, end);
    let b = Builder::at_end(reserve);
    let at = b.atomic_rmw(AtomicOp::Add, word(&b, 0), bytes, Ordering::Monotonic);
    let target = b.byte_offset(header, b.zext(b.add(at, cx.u32(16)), cx.i64()));
    b.cond_br(b.icmp(IntPredicate::Ult, at, capacity), check, end);
    let b = Builder::at_end(check);
    b.cond_br(b.icmp(IntPredicate::Ule, bytes, b.sub(capacity, at)), copy, border);
    let b = Builder::at_end(copy);
    b.memcpy(target, 8, record, 8, b.zext(bytes, cx.i64()));
    b.ret(cx.u32(0));
    // The first record that does not fit marks the end: the host stops reading here.
    let b = Builder::at_end(border);
    b.store(cx.u32(0), target, 8);
    b.br(end);
    let b = Builder::at_end(end);
    b.atomic_rmw(AtomicOp::Add, word(&b, 1), bytes, Ordering::Monotonic);
    b.br(lost);
    Builder::at_end(lost).ret(minus_one);
    f
}

/// The letters of the conversions that take arguments; `*` appears as `d`.
fn letters(pieces: &[Piece]) -> Vec<u8> {
    let mut out = Vec::new();
    for piece in pieces {
        if let Piece::Conversion(c) = piece {
            out.extend(
                [c.width, c.precision].iter().filter(|n| **n == Count::Argument).map(|_| b'd'),
            );
            out.push(c.letter);
        }
    }
    out
}

fn unsupported(call: Value<'_>, what: &str) -> PassError {
    PassError::Unsupported(sentence(call, what))
}

fn sentence(call: Value<'_>, what: &str) -> String {
    let name = call.block().function().name();
    format!("printf in '{}' {what}", crate::names::readable(&name))
}
