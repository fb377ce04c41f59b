//! Loads and stores of vectors. One comparison finds that an access with consecutive elements lies
//! in the area where it is expected. The addresses of a strided or indexed access are all compared
//! before its first element is accessed. A store of active elements tests the bit of each, or is
//! a loop over the bits if there are many. The interpreter does all other accesses.

use super::file::integers;
use super::plan::{Access, CHUNK, MOST_SINGLE, Places};
use crate::host::{FIXED, HART, offset};
use crate::lower::Lower;
use crate::lower::memory::{GUEST, fields};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder as _, Type, Value, types};
use muxcl_rv_isa::Inst;

impl Lower<'_, '_> {
    /// Translates an access; false if the interpreter executes it.
    pub(super) fn access(&mut self, i: &Inst, access: Access) -> bool {
        let consecutive = access.places == Places::Unit && access.fields == 1;
        // The interpreter checks the alignment of each element.
        if self.machine.strict && !consecutive {
            return false;
        }
        let to = self.start_of(i.rd);
        let bytes = access.elements * access.size;
        let field = access.registers * self.machine.vlenb;
        // The values that the fast path needs are computed before the branch, so that the code
        // after both paths can use them, too.
        let count = bytes.div_ceil(CHUNK);
        for chunk in 0..count {
            self.changed(access.masked, access.size, chunk);
            let part = access.masked || self.known.any_length || !bytes.is_multiple_of(CHUNK);
            for k in 0..access.fields {
                if access.store || part {
                    self.chunk(to + k * field + chunk * CHUNK, types::I8X16);
                }
            }
        }
        let any_length = self.known.any_length;
        // Without a mask, a store of consecutive elements below `vl` is a copy.
        let prefix = access.store && consecutive && any_length && !access.masked;
        let active = if access.store && !prefix && (access.masked || any_length) {
            self.words_below(access.masked.then_some(0), access.elements)
        } else {
            Vec::new()
        };
        if prefix || access.elements > MOST_SINGLE && !active.is_empty() {
            // Loops read the elements from the hart.
            self.store_range(to, bytes);
        }
        let (inside, hosts) = self.places(i, &access);
        self.known.frozen = true;
        self.choose(
            inside,
            None,
            true,
            |lower| {
                let only = if let [bits] = active[..] { Some(bits) } else { None };
                lower.count_moved(&access, only);
                if prefix {
                    lower.store_below(i, &access, hosts[0]);
                } else if active.is_empty() {
                    lower.copy_all(i, &access, &hosts);
                } else {
                    lower.store_active(i, &access, &hosts, &active);
                }
                None
            },
            |lower| {
                lower.store_pending();
                lower.call(2);
                if !access.store {
                    let all = access.fields * field;
                    lower.reload_chunks(to, all);
                }
                None
            },
        );
        self.known.frozen = false;
        if !access.store {
            for k in 0..access.fields {
                self.forget_range(to + k * field, field.max(CHUNK));
            }
            self.mark_loaded(to, access.fields * field);
        }
        true
    }

    /// Whether all elements lie in a region of the hart, and their host addresses: of the first, or
    /// of each.
    fn places(&mut self, i: &Inst, access: &Access) -> (Value, Vec<Value>) {
        let region = fields(self.region.areas.place(self.state.pc, i.rs1, access.store));
        let base = self.x(i.rs1);
        let start = self.b.ins().load(types::I64, FIXED, self.hart, offset(region.base));
        let host = self.b.ins().load(types::I64, FIXED, self.hart, offset(region.host));
        // The bytes that one comparison covers. The stack may end with its memory, so they are not
        // many more than the access has. `copy` loads whole chunks.
        let bytes = match access.places {
            Places::Unit => (access.elements * access.fields * access.size).max(CHUNK),
            Places::Strided | Places::Indexed(_) => access.fields * access.size,
        };
        let log = bytes.next_power_of_two().trailing_zeros() as usize;
        let places = self.fixed(region.places[log]);
        let address = self.wrap(base);
        let at = self.b.ins().isub(address, start);
        match access.places {
            Places::Unit => {
                let inside = self.b.ins().icmp(IntCC::UnsignedLessThan, at, places);
                (inside, vec![self.b.ins().iadd(host, at)])
            }
            Places::Strided => {
                let stride = self.x(i.rs2);
                // A stride of 32 bits at most, so that the product below does not overflow.
                let middle = self.int(1 << 31);
                let moved = self.b.ins().iadd(stride, middle);
                let upper = self.b.ins().ushr_imm_u(moved, 32);
                let short = self.b.ins().icmp_imm_s(IntCC::Equal, upper, 0);
                let any_length = self.known.any_length;
                let last = if any_length {
                    let length = self.length();
                    self.b.ins().iadd_imm_s(length, -1)
                } else {
                    self.int(access.elements - 1)
                };
                let way = self.b.ins().imul(stride, last);
                let end = self.b.ins().iadd(at, way);
                let first_inside = self.b.ins().icmp(IntCC::UnsignedLessThan, at, places);
                let last_inside = self.b.ins().icmp(IntCC::UnsignedLessThan, end, places);
                let inside = self.b.ins().band(first_inside, last_inside);
                let inside = self.b.ins().band(inside, short);
                let mut hosts = vec![self.b.ins().iadd(host, at)];
                for k in 1..access.elements as usize {
                    let next = self.b.ins().iadd(hosts[k - 1], stride);
                    hosts.push(next);
                }
                if any_length && !access.store {
                    // An element that is not below `vl` may be anywhere.
                    let (length, first) = (self.length(), hosts[0]);
                    for (k, host) in (0..).zip(&mut hosts) {
                        let below = self.b.ins().icmp_imm_u(IntCC::UnsignedGreaterThan, length, k);
                        *host = self.b.ins().select(below, *host, first);
                    }
                }
                (inside, hosts)
            }
            Places::Indexed(size) => {
                let (mut most, mut hosts) = (None, Vec::new());
                for k in 0..access.elements {
                    let lanes = CHUNK / size;
                    let from = self.start_of(i.rs2) + k / lanes * CHUNK;
                    let chunk = self.chunk(from, integers(size));
                    let index = self.b.ins().extractlane(chunk, (k % lanes) as u8);
                    let index =
                        if size == 8 { index } else { self.b.ins().uextend(types::I64, index) };
                    let address = self.b.ins().iadd(base, index);
                    let address = self.wrap(address);
                    let mut at = self.b.ins().isub(address, start);
                    let lanes = CHUNK / access.size;
                    if let Some(active) = self.changed(access.masked, access.size, k / lanes) {
                        // An element that is not active may be anywhere.
                        let active = self.cast(active, integers(access.size));
                        let lane = self.b.ins().extractlane(active, (k % lanes) as u8);
                        let lane = if access.size == 8 {
                            lane
                        } else {
                            self.b.ins().sextend(types::I64, lane)
                        };
                        at = self.b.ins().band(at, lane);
                    }
                    most = Some(most.map_or(at, |most| self.b.ins().umax(most, at)));
                    hosts.push(self.b.ins().iadd(host, at));
                }
                let most = most.unwrap_or(at);
                (self.b.ins().icmp(IntCC::UnsignedLessThan, most, places), hosts)
            }
        }
    }

    /// Copies consecutive elements.
    fn copy(&mut self, i: &Inst, access: &Access, host: Value) {
        let bytes = access.elements * access.size;
        let file = self.start_of(i.rd);
        for chunk in 0..bytes.div_ceil(CHUNK) {
            let at = chunk * CHUNK;
            if !access.store {
                let value = self.b.ins().load(types::I8X16, GUEST, host, offset(at as usize));
                let sizes = (access.size, access.elements);
                self.result(access.masked, file, sizes, chunk, value);
                continue;
            }
            let value = self.chunk(file + at, types::I8X16);
            let mut rest = (bytes - at).min(CHUNK);
            if rest == CHUNK {
                self.b.ins().store(GUEST, value, host, offset(at as usize));
                continue;
            }
            // The last bytes, in pieces.
            let mut done = 0;
            for size in [8, 4, 2, 1] {
                if rest >= size {
                    let parts = self.cast(value, integers(size));
                    let part = self.b.ins().extractlane(parts, (done / size) as u8);
                    self.b.ins().store(GUEST, part, host, offset((at + done) as usize));
                    (done, rest) = (done + size, rest - size);
                }
            }
        }
    }

    /// Copies all elements.
    fn copy_all(&mut self, i: &Inst, access: &Access, hosts: &[Value]) {
        if access.places == Places::Unit && access.fields == 1 {
            self.copy(i, access, hosts[0]);
        } else {
            self.copy_each(i, access, hosts);
        }
    }

    /// Stores the elements that have a bit.
    fn store_active(&mut self, i: &Inst, access: &Access, hosts: &[Value], active: &[Value]) {
        let [each, all, end] = [(); 3].map(|()| self.b.create_block());
        let mut full: Option<Value> = None;
        for (first, bits) in (0..).step_by(64).zip(active) {
            let every = (u64::MAX >> (64 - (access.elements - first).min(64))).cast_signed();
            let own = self.b.ins().icmp_imm_s(IntCC::Equal, *bits, every);
            full = Some(full.map_or(own, |full| self.b.ins().band(full, own)));
        }
        let Some(full) = full else { return };
        self.b.ins().brif(full, all, &[], each, &[]);
        self.b.switch_to_block(all);
        self.b.seal_block(all);
        self.copy_all(i, access, hosts);
        self.b.ins().jump(end, &[]);
        self.b.switch_to_block(each);
        self.b.seal_block(each);
        if let [bits] = active
            && access.elements <= MOST_SINGLE
        {
            self.store_each(i, access, hosts, *bits);
        } else {
            for (first, bits) in (0..).step_by(64).zip(active) {
                self.store_word(i, access, hosts[0], first, *bits);
            }
        }
        self.b.ins().jump(end, &[]);
        self.b.switch_to_block(end);
        self.b.seal_block(end);
    }

    /// Stores the consecutive elements below `vl`: 16 bytes at a time, then the rest in pieces.
    fn store_below(&mut self, i: &Inst, access: &Access, host: Value) {
        let length = self.length();
        let [some, all, end] = [(); 3].map(|()| self.b.create_block());
        let most = access.elements.cast_signed();
        let full = self.b.ins().icmp_imm_s(IntCC::Equal, length, most);
        self.b.ins().brif(full, all, &[], some, &[]);
        self.b.switch_to_block(all);
        self.b.seal_block(all);
        self.copy(i, access, host);
        self.b.ins().jump(end, &[]);
        self.b.switch_to_block(some);
        self.b.seal_block(some);
        let at = self.start_of(i.rd).cast_signed();
        let file = self.file();
        let from = self.b.ins().iadd_imm_s(file, at);
        let bytes = self.b.ins().ishl_imm_u(length, i64::from(access.size.trailing_zeros()));
        let pieces = (0..4).map(|log| 8 >> log).filter(|n| *n >= access.size);
        let pieces: Vec<u64> = pieces.collect();
        let [head, body, rest] = [(); 3].map(|()| self.b.create_block());
        let done = self.b.append_block_param(head, types::I64);
        let none = self.int(0);
        self.b.ins().jump(head, &[none.into()]);
        self.b.switch_to_block(head);
        let next = self.b.ins().iadd_imm_s(done, CHUNK.cast_signed());
        let more = self.b.ins().icmp(IntCC::UnsignedLessThanOrEqual, next, bytes);
        self.b.ins().brif(more, body, &[], rest, &[]);
        self.b.switch_to_block(body);
        self.b.seal_block(body);
        self.copy_piece(types::I8X16, (from, host), done);
        self.b.ins().jump(head, &[next.into()]);
        self.b.seal_block(head);
        self.b.switch_to_block(rest);
        self.b.seal_block(rest);
        let mut done = done;
        for size in pieces {
            let [copy, next] = [(); 2].map(|()| self.b.create_block());
            let after = self.b.append_block_param(next, types::I64);
            let own = self.b.ins().band_imm_s(bytes, size.cast_signed());
            self.b.ins().brif(own, copy, &[], next, &[done.into()]);
            self.b.switch_to_block(copy);
            self.b.seal_block(copy);
            self.copy_piece(integers(size).lane_type(), (from, host), done);
            let more = self.b.ins().iadd_imm_s(done, size.cast_signed());
            self.b.ins().jump(next, &[more.into()]);
            self.b.switch_to_block(next);
            self.b.seal_block(next);
            done = after;
        }
        self.b.ins().jump(end, &[]);
        self.b.switch_to_block(end);
        self.b.seal_block(end);
    }

    /// Copies a value of this type from the hart's registers to guest memory.
    fn copy_piece(&mut self, ty: Type, (from, to): (Value, Value), at: Value) {
        let [from, to] = [from, to].map(|base| self.b.ins().iadd(base, at));
        let value = self.b.ins().load(ty, HART, from, 0);
        self.b.ins().store(GUEST, value, to, 0);
    }

    /// Tests the bit of each element.
    fn store_each(&mut self, i: &Inst, access: &Access, hosts: &[Value], bits: Value) {
        let Access { size, fields, elements, registers, .. } = *access;
        let (ty, lanes) = (integers(size), CHUNK / size);
        let file = self.start_of(i.rd);
        for k in 0..elements {
            let [store, next] = [(); 2].map(|()| self.b.create_block());
            let own = self.b.ins().band_imm_s(bits, 1 << k);
            self.b.ins().brif(own, store, &[], next, &[]);
            self.b.switch_to_block(store);
            self.b.seal_block(store);
            for field in 0..fields {
                let from = file + field * registers * self.machine.vlenb;
                let chunk = self.chunk(from + k / lanes * CHUNK, ty);
                let value = self.b.ins().extractlane(chunk, (k % lanes) as u8);
                let (host, at) = match access.places {
                    Places::Unit => (hosts[0], (k * fields + field) * size),
                    _ => (hosts[k as usize], field * size),
                };
                self.b.ins().store(GUEST, value, host, offset(at as usize));
            }
            self.b.ins().jump(next, &[]);
            self.b.switch_to_block(next);
            self.b.seal_block(next);
        }
    }

    /// Stores the elements that have a bit in `bits`, one after the other. Bit 0 is that of element
    /// number `first`. Elements are consecutive in memory.
    fn store_word(&mut self, i: &Inst, access: &Access, host: Value, first: u64, bits: Value) {
        let ty = integers(access.size).lane_type();
        let shift = i64::from(access.size.trailing_zeros());
        let at = (self.start_of(i.rd) + first * access.size).cast_signed();
        let file = self.file();
        let from = self.b.ins().iadd_imm_s(file, at);
        let to = self.b.ins().iadd_imm_s(host, (first * access.size).cast_signed());
        self.each_bit(bits, to, |lower, number, to| {
            let bytes = lower.b.ins().ishl_imm_u(number, shift);
            lower.copy_piece(ty, (from, to), bytes);
            to
        });
    }

    /// Copies elements one by one.
    fn copy_each(&mut self, i: &Inst, access: &Access, hosts: &[Value]) {
        let Access { size, fields, elements, .. } = *access;
        let (ty, lanes) = (integers(size), CHUNK / size);
        let first = self.start_of(i.rd);
        let file = |field: u64, vlenb: u64| first + field * access.registers * vlenb;
        let vlenb = self.machine.vlenb;
        // Base and offset of the host address of a field of element `k`.
        let place = |k: u64, field: u64| match hosts.get(k as usize) {
            Some(host) if access.places != Places::Unit => (*host, offset((field * size) as usize)),
            _ => (hosts[0], offset(((k * fields + field) * size) as usize)),
        };
        if access.store {
            // Elements may have the same address: the last one in this order stays in memory.
            for (k, field) in (0..elements).flat_map(|k| (0..fields).map(move |f| (k, f))) {
                let all = self.chunk(file(field, vlenb) + k / lanes * CHUNK, ty);
                let value = self.b.ins().extractlane(all, (k % lanes) as u8);
                let (host, at) = place(k, field);
                self.b.ins().store(GUEST, value, host, at);
            }
            return;
        }
        for field in 0..fields {
            for chunk in 0..(elements * size).div_ceil(CHUNK) {
                let mut all: Option<Value> = None;
                for lane in 0..lanes.min(elements - chunk * lanes) {
                    let (host, at) = place(chunk * lanes + lane, field);
                    let value = self.b.ins().load(ty.lane_type(), GUEST, host, at);
                    all = Some(match all {
                        None => self.first_lane(ty, value),
                        Some(all) => self.b.ins().insertlane(all, value, lane as u8),
                    });
                }
                if let Some(all) = all {
                    let sizes = (size, elements);
                    self.result(access.masked, file(field, vlenb), sizes, chunk, all);
                }
            }
        }
    }
}
