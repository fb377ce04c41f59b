//! The command processor of M1: reads packets from the device's memory and executes them in order.
//! Invariant: an invalid packet or address ends the buffer with an error; packets after an error
//! are not executed.

use crate::command::{Header, cache, opcode, register, window};
use crate::machine::{Failure, Instances, Machine};
use crate::map;
use muxcl_rv_sim::{WINDOWS, Window};

/// The command processor.
pub(crate) struct Processor {
    registers: [u64; register::COUNT as usize],
    windows: [Window; WINDOWS],
    trace: bool,
}

/// Kinds of bus units, in bits 24 to 31 of a unit's number.
const UNIT_HART: u64 = 3;
/// Maximum size of a command buffer.
const LONGEST: u64 = 1 << 26;

fn broken(text: impl Into<String>) -> Failure {
    Failure { hart: u32::MAX, pc: 0, text: text.into() }
}

/// Decodes the description of a part of the uniform block: offset in bits 16 to 39, size in bits 40
/// to 63.
fn piece(value: u64) -> (u64, u64) {
    (value >> 16 & 0xff_ffff, value >> 40)
}

impl Processor {
    pub(crate) fn new(trace: bool) -> Self {
        Self {
            registers: [0; register::COUNT as usize],
            windows: [Window::default(); WINDOWS],
            trace,
        }
    }

    fn get(&self, index: u32) -> u64 {
        self.registers.get(index as usize).copied().unwrap_or(0)
    }

    fn set(&mut self, machine: &Machine, index: u32, value: u64) -> Result<(), Failure> {
        let place = self
            .registers
            .get_mut(index as usize)
            .ok_or_else(|| broken(format!("register {index}")))?;
        *place = value;
        if index >= register::WINDOW_BASE {
            self.update(machine, (index - register::WINDOW_BASE) as usize % WINDOWS);
        }
        Ok(())
    }

    /// Applies a change of a window's registers.
    fn update(&mut self, machine: &Machine, k: usize) {
        let at = |first: u32| self.registers[first as usize + k];
        let (mode, scale) = (at(register::WINDOW_MODE), at(register::WINDOW_SCALE));
        let active = mode & window::ACTIVE != 0;
        let window = Window {
            base: at(register::WINDOW_BASE),
            size: if active { (mode >> 32) + 1 } else { 0 },
            target: at(register::WINDOW_TARGET),
            // The device has one core, so all harts see the same memory.
            scale: if mode & window::MODE == window::PER_HART {
                (scale >> 32) << (scale & 31)
            } else {
                0
            },
        };
        if window != self.windows[k] {
            self.windows[k] = window;
            machine.set_window(k, window);
        }
    }

    fn load(machine: &Machine, unit: u32, address: u64) -> Result<u64, Failure> {
        let at = address.wrapping_sub(map::PERF);
        if at < map::PERF_SIZE {
            return machine
                .perf
                .register(unit, at)
                .ok_or_else(|| broken(format!("load from {address:#x}")));
        }
        machine
            .memory
            .bus_load(unit, address)
            .map_err(|_| broken(format!("load from {address:#x}")))
    }

    fn store(machine: &Machine, address: u64, value: u64) -> Result<(), Failure> {
        let stored = machine.memory.bus_store(machine.harts(), address, value);
        stored.map_err(|_| {
            let more = machine.dma.as_ref().and_then(|d| d.reset(machine.harts()));
            broken(more.unwrap_or_else(|| format!("store to {address:#x}")))
        })
    }

    fn say(&self, text: impl FnOnce() -> String) {
        if self.trace {
            crate::trace::line("CMP", &text());
        }
    }

    /// Executes a command buffer.
    ///
    /// # Errors
    /// A packet is invalid, or its function fails.
    pub(crate) fn execute(
        &mut self,
        machine: &Machine,
        address: u64,
        size: u64,
    ) -> Result<(), Failure> {
        let mut bytes = vec![0; usize::try_from(size.min(LONGEST)).unwrap_or(0) & !7];
        let unit = machine.harts();
        machine
            .memory
            .read(unit, address, &mut bytes)
            .map_err(|_| broken("a command buffer outside memory"))?;
        let words: Vec<u64> = bytes
            .chunks_exact(8)
            .map(|c| u64::from_le_bytes(c.try_into().unwrap_or_default()))
            .collect();
        self.say(|| format!("command buffer at {address:#x}"));
        let mut at = 0;
        while let Some(word) = words.get(at) {
            let header =
                Header::read(*word).ok_or_else(|| broken(format!("packet {word:#x} at {at}")))?;
            let end = at + 1 + header.payload as usize;
            let payload =
                words.get(at + 1..end).ok_or_else(|| broken("a packet that is cut off"))?;
            if header.opcode == opcode::FINISH {
                self.say(|| "FINISH".to_owned());
                if let Some(dma) = &machine.dma {
                    dma.drain(unit).map_err(broken)?;
                }
                return Ok(());
            }
            self.packet(machine, header, payload)?;
            at = end;
        }
        Err(broken("a command buffer without end"))
    }

    fn packet(
        &mut self,
        machine: &Machine,
        header: Header,
        payload: &[u64],
    ) -> Result<(), Failure> {
        let (inline, unit) = (header.inline, machine.harts());
        match (header.opcode, payload) {
            (opcode::NOP, _) => self.say(|| "NOP".to_owned()),
            (opcode::WRITE_REG64, [value]) => {
                self.say(|| format!("WRITE_REG64({inline}, {value:#x})"));
                self.set(machine, inline, *value)?;
            }
            (opcode::LOAD_REG64, [address]) => {
                self.say(|| format!("LOAD_REG64({inline}, {address:#x})"));
                let value = Self::load(machine, unit, *address)?;
                self.set(machine, inline, value)?;
            }
            (opcode::STORE_REG64, [address]) => {
                self.say(|| format!("STORE_REG64({inline}, {address:#x})"));
                if inline >= register::COUNT {
                    return Err(broken(format!("register {inline}")));
                }
                Self::store(machine, *address, self.get(inline))?;
            }
            (opcode::STORE_IMM64, [value]) => {
                self.say(|| format!("STORE_IMM64({inline:#x}, {value:#x})"));
                Self::store(machine, inline.into(), *value)?;
            }
            (opcode::COPY_MEM64, [from, to, from_unit]) => {
                self.say(|| format!("COPY_MEM64({inline}, {from:#x}, {to:#x}, {from_unit:#x})"));
                let hart = u32::try_from(from_unit & 0xffff).unwrap_or(0);
                let reader = if from_unit >> 24 == UNIT_HART { hart } else { unit };
                for k in 0..u64::from(inline) {
                    let value = Self::load(machine, reader, from.wrapping_add(8 * k))?;
                    Self::store(machine, to.wrapping_add(8 * k), value)?;
                }
            }
            (opcode::RUN_KERNEL_SLICE, [count, slice]) => {
                self.say(|| {
                    format!(
                        "RUN_KERNEL_SLICE(n={count}, slice={slice}, max_harts={})",
                        inline & 0xff
                    )
                });
                self.run_slice(machine, inline & 0xff, *count, *slice)?;
            }
            (opcode::RUN_INSTANCES, [count, extra @ ..])
                if extra.len() == (inline >> 8 & 7) as usize =>
            {
                self.say(|| {
                    format!("RUN_INSTANCES(n={count}, max_harts={}, {extra:x?})", inline & 0xff)
                });
                let mut values = [0; 8];
                values[1..=extra.len()].copy_from_slice(extra);
                self.run(machine, inline & 0xff, *count, &|_, instance| {
                    let mut arguments = values;
                    arguments[0] = instance;
                    arguments
                })?;
            }
            (opcode::SYNC_CACHE, []) => {
                self.say(|| format!("SYNC_CACHE({inline})"));
                if inline & cache::INSTRUCTIONS != 0 {
                    machine.code_changed();
                }
            }
            (code, _) => return Err(broken(format!("packet {code} with {} words", payload.len()))),
        }
        Ok(())
    }

    fn run(
        &self,
        machine: &Machine,
        harts: u32,
        count: u64,
        arguments: &(dyn Fn(u32, u64) -> [u64; 8] + Sync),
    ) -> Result<(), Failure> {
        machine.run(&Instances {
            entry: self.get(register::ENTRY_PT_FN) & 0xffff_ffff,
            stack_top: self.get(register::STACK_TOP),
            return_address: self.get(register::RETURN_ADDR),
            count,
            harts: if harts == 0 { machine.harts() } else { harts },
            arguments,
        })
    }

    fn run_slice(
        &self,
        machine: &Machine,
        harts: u32,
        count: u64,
        slice: u64,
    ) -> Result<(), Failure> {
        let block = self.get(register::KUB_DESC);
        let (block, block_size) = (block & 0xffff_ffff_ffff, (block >> 48) * 256);
        let inside = |(offset, size): (u64, u64)| {
            if size == 0 {
                return Ok((0, 0));
            }
            if offset + size > block_size {
                return Err(broken("a piece outside the uniform block"));
            }
            Ok((block + offset, size))
        };
        let (packed, _) = inside(piece(self.get(register::KARGS_INFO)))?;
        let (template, size) = inside(piece(self.get(register::TSD_INFO)))?;
        let each = map::TCDM_HARTS_SIZE / u64::from(machine.harts());
        if size > each {
            return Err(broken("more data for a hart than its memory can hold"));
        }
        if size != 0 {
            for hart in 0..u64::from(machine.harts()) {
                let copied = machine.memory.bus_copy(
                    machine.harts(),
                    map::TCDM_HARTS + hart * each,
                    template,
                    size,
                );
                copied.map_err(|_| broken("a uniform block outside memory"))?;
            }
        }
        self.run(machine, harts, count, &|hart, instance| {
            let own = if size == 0 { 0 } else { map::TCDM_HARTS + u64::from(hart) * each };
            [instance, slice, packed, own, 0, 0, 0, 0]
        })
    }
}
