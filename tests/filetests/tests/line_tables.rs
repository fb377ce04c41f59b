//! Tests that a kernel built with `-g` keeps the source lines of its statements in vectors.

#![expect(clippy::unwrap_used, reason = "a test")]

use std::collections::BTreeSet;

use muxcl_elf_loader::section_of;
use muxcl_filetests::compile;
use muxcl_llvm::{Context, Module};
use muxcl_passes::{Options, Runner};
use muxcl_target_host::{CodeTarget as _, Settings, Target, Vectors};
use muxcl_types::variant::SpecializationKey;

/// Reads the numbers of DWARF sections.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn bytes(&mut self, count: usize) -> &'a [u8] {
        let (head, tail) = self.0.split_at(count);
        self.0 = tail;
        head
    }

    fn byte(&mut self) -> u8 {
        self.bytes(1)[0]
    }

    fn word(&mut self) -> usize {
        u32::from_le_bytes(self.bytes(4).try_into().unwrap()) as usize
    }

    fn unsigned(&mut self) -> u64 {
        let (mut value, mut shift) = (0, 0);
        loop {
            let byte = self.byte();
            value |= u64::from(byte & 127) << shift;
            shift += 7;
            if byte < 128 {
                return value;
            }
        }
    }

    fn signed(&mut self) -> i64 {
        let before = self.0.len();
        let value = self.unsigned();
        let bits = 7 * (before - self.0.len());
        let unused = 64 - u32::try_from(bits.min(64)).unwrap();
        (value << unused).cast_signed() >> unused
    }
}

/// The lines of the rows of a `.debug_line` section with one line table of DWARF version 5.
fn lines_of(section: &[u8]) -> BTreeSet<i64> {
    let mut table = Reader(section);
    let length = table.word();
    let mut table = Reader(table.bytes(length));
    assert_eq!(u16::from_le_bytes(table.bytes(2).try_into().unwrap()), 5);
    table.bytes(2); // the size of addresses and of segment selectors
    let header = table.word();
    let mut header = Reader(table.bytes(header));
    header.bytes(3); // the instruction lengths, and whether a row begins a statement
    let line_base = i64::from(header.byte().cast_signed());
    let line_range = i64::from(header.byte());
    let opcode_base = header.byte();
    let operands = header.bytes(usize::from(opcode_base) - 1);
    let (mut line, mut lines) = (1, BTreeSet::new());
    while !table.0.is_empty() {
        match table.byte() {
            0 => {
                let length = usize::try_from(table.unsigned()).unwrap();
                // A sequence ends.
                if table.bytes(length)[0] == 1 {
                    line = 1;
                }
            }
            1 => {
                lines.insert(line);
            }
            3 => line += table.signed(),
            9 => {
                table.bytes(2);
            }
            opcode if opcode >= opcode_base => {
                line += line_base + i64::from(opcode - opcode_base) % line_range;
                lines.insert(line);
            }
            opcode => {
                for _ in 0..operands[usize::from(opcode) - 1] {
                    table.unsigned();
                }
            }
        }
    }
    lines
}

#[test]
fn statements_keep_their_lines_in_vectors() {
    let source = "kernel void k(global const int *a, global int *out, int n) {\n\
        int x = get_global_id(0);\n\
        int sum = 0;\n\
        for (int i = 0; i < a[x]; i++) {\n\
        int w = a[i] / (x + 1);\n\
        if (w & 1)\n\
        sum += w * n;\n\
        else\n\
        sum ^= a[w & 63] + x;\n\
        }\n\
        out[x] = sum;\n\
        }\n";
    let context = Context::new();
    let device = compile::device();
    let mut module = compile::source(&context, source, "-cl-std=CL3.0 -g", &device).unwrap();
    let library = compile::library(&device);
    let target = Target::new("x86-64-v3", "").with_vectors(Vectors::Always(8));
    let settings = Settings::default();
    let options = Options { verify: true, ..Options::default() };
    // Whole vectors run all 64 work-items, so the scalar loop is gone.
    let key = SpecializationKey {
        local_size: Some([64, 1, 1]),
        uniform: true,
        zero_offset: true,
        small_ids: true,
        ..SpecializationKey::default()
    };
    let mut vectors = false;
    let mut observe = |pass: &str, module: &Module<'_>| {
        vectors |= pass == "vecz" && module.to_string().contains("<8 x i32>");
    };
    let mut run = Runner::with_observer(&options, &mut observe);
    let program = target.finalise(&context, &mut module, &library, &settings, &mut run).unwrap();
    let elf =
        target.specialise(&program.program(&library), "k", &key, &settings, &mut run).unwrap();
    drop(run);
    assert!(vectors, "the kernel has vectors");
    let lines = lines_of(section_of(&elf, ".debug_line").unwrap().unwrap());
    for line in [4, 5, 6, 7, 9, 11] {
        assert!(lines.contains(&line), "no row for line {line}, only {lines:?}");
    }
}
