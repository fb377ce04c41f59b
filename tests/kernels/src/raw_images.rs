//! Images with packed pixels (`cl_ext_image_raw10_raw12`), of every kind: kernel reads and commands
//! agree with `muxcl_img::pixel`, also with pitches that are not a multiple of the pixel size.

use anyhow::{Result, ensure};
use muxcl_client::sys::{
    CL_MAP_READ, CL_MAP_WRITE, CL_MEM_COPY_HOST_PTR, CL_MEM_READ_ONLY, CL_MEM_USE_HOST_PTR,
};
use muxcl_client::{Area, Device, Image, ImageDesc};
use muxcl_img::format::{PixelBlock, channel, order};
use muxcl_img::pixel::{self, Color};
use muxcl_img::sampler::{Addressing, Sampler};
use muxcl_img::{Format, Kind};

use crate::images::{Bench, Case, Random};

/// The byte layout of an image: rows and slices, with or without gaps.
struct ByteLayout {
    size: [usize; 3],
    block: PixelBlock,
    row: usize,
    slice: usize,
    /// The second axis is the slice (1D arrays).
    rows_are_slices: bool,
}

impl ByteLayout {
    fn new(case: &Case, size: [usize; 3], block: PixelBlock, gap: usize) -> Self {
        let rows_are_slices = case.kind == Kind::Image1DArray;
        let row = block.size(size[0]) + gap;
        let plane = if rows_are_slices { row } else { row * size[1] };
        let slice = plane + if gap > 0 && case.kind.has_slices() { row } else { 0 };
        Self { size, block, row, slice, rows_are_slices }
    }

    fn bytes(&self) -> usize {
        self.slice * if self.rows_are_slices { self.size[1] } else { self.size[2] }
    }

    /// Offset of a row in bytes.
    fn at(&self, y: usize, z: usize) -> usize {
        if self.rows_are_slices { y * self.slice } else { y * self.row + z * self.slice }
    }

    fn rows(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let [_, second, third] = self.size;
        (0..third).flat_map(move |z| (0..second).map(move |y| (y, z)))
    }

    /// The rows without the gaps between them.
    fn tight(&self, bytes: &[u8]) -> Vec<u8> {
        let row = self.block.size(self.size[0]);
        self.rows().flat_map(|(y, z)| bytes[self.at(y, z)..][..row].to_vec()).collect()
    }
}

/// Every pixel as a kernel reads it.
fn pixels(format: Format, tight: &[u8]) -> Vec<u32> {
    let block = format.block();
    let mut all = Vec::new();
    for bytes in tight.chunks(block.bytes) {
        for n in 0..block.pixels {
            if let Color::Unsigned(four) = pixel::decode_in(format, bytes, n) {
                all.extend(four);
            }
        }
    }
    all
}

/// Kernels that read every pixel by integer coordinates, and through a clamping sampler with an
/// offset of one, which shows the border colour.
fn source(case: &Case) -> String {
    let name = case.name;
    let sampled = case.kind != Kind::Image1DBuffer;
    let sampler = Sampler { normalized: false, addressing: Addressing::Clamp, linear: false };
    let position = "int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);\n  \
                 size_t i = x + get_global_size(0) * (y + get_global_size(1) * z);";
    let mut text = format!(
        "kernel void load(read_only {name}_t m, global uint4 *out) {{\n  {position}\n  \
        out[i] = read_imageui(m, {});\n}}\n\
         kernel void type(read_only {name}_t m, global int *out) {{\n  int t = get_image_channel_data_type(m);\n  \
         out[0] = get_image_width(m); out[1] = t; out[2] = get_image_channel_order(m);\n  \
         out[3] = t == CLK_UNSIGNED_INT_RAW10_EXT ? 10 : t == CLK_UNSIGNED_INT_RAW12_EXT ? 12 : 0;\n}}\n\
         #if !defined(cl_ext_image_raw10_raw12) || !defined(__opencl_c_ext_image_raw10_raw12)\n#error macros\n#endif\n",
        case.at("int")
    );
    if sampled {
        text += &format!(
            "constant sampler_t s = {};\n\
             kernel void shifted(read_only {name}_t m, global uint4 *out) {{\n  {position}\n  \
             x -= 1;\n  \
             out[i] = read_imageui(m, s, {});\n}}\n",
            sampler.bits(),
            case.at("float")
        );
    }
    text
}

struct Setup<'c> {
    bench: Bench,
    case: &'c Case,
    format: Format,
    size: [usize; 3],
}

impl Setup<'_> {
    fn desc(&self) -> ImageDesc {
        let [_, second, third] = self.size;
        ImageDesc {
            kind: self.case.object,
            format: (self.format.order(), self.format.channel()),
            size: self.size,
            layers: if self.case.kind == Kind::Image1DArray { second } else { third },
            levels: 0,
        }
    }

    fn whole(&self) -> Area {
        ([0; 4], self.size)
    }

    fn run(&self, kernel: &str, image: &Image, words: usize) -> Result<Vec<u32>> {
        let mut seen = vec![0_u32; words];
        let out = self.bench.context.buffer_with(&seen)?;
        let mut kernel = self.bench.program.kernel(kernel)?;
        kernel.set_image(0, image)?;
        kernel.set_buffer(1, &out)?;
        let size = if words == 4 { [1; 3] } else { self.size };
        self.bench.queue.run(&kernel, &size, None, None)?;
        self.bench.queue.read(&out, &mut seen)?;
        Ok(seen)
    }

    /// Checks that a kernel and a command read these bytes.
    fn holds(&self, image: &Image, tight: &[u8], what: &str) -> Result<()> {
        let mut back = vec![0_u8; tight.len()];
        self.bench.queue.read_image(image, self.whole(), &mut back)?;
        ensure!(back == tight, "{what}, {:x?}: {back:x?} is not {tight:x?}", self.format);
        let wanted = pixels(self.format, tight);
        let seen = self.run("load", image, wanted.len())?;
        ensure!(
            seen == wanted,
            "{what}, a kernel, {:x?}: {seen:x?} is not {wanted:x?}",
            self.format
        );
        if self.case.kind == Kind::Image1DBuffer {
            return Ok(());
        }
        let seen = self.run("shifted", image, wanted.len())?;
        for (row, shifted) in wanted.chunks(4 * self.size[0]).zip(seen.chunks(4 * self.size[0])) {
            // The border colour of an image without alpha is opaque.
            ensure!(
                shifted[..4] == [0, 0, 0, 1] && shifted[4..] == row[..row.len() - 4],
                "{what}, through a sampler"
            );
        }
        Ok(())
    }
}

/// An image in a buffer, with a pitch that is no multiple of a pixel: writes through one are
/// visible through the other.
fn in_a_buffer(setup: &Setup<'_>, random: &mut Random, gap: usize) -> Result<()> {
    let (context, queue) = (&setup.bench.context, &setup.bench.queue);
    let layout = ByteLayout::new(setup.case, setup.size, setup.format.block(), gap);
    let mut bytes: Vec<u8> = (0..layout.bytes()).map(|_| random.next().to_le_bytes()[0]).collect();
    let buffer = context.buffer_with(&bytes)?;
    let slices = setup.case.kind.has_slices();
    let pitches =
        if gap == 0 { [0; 2] } else { [layout.row, if slices { layout.slice } else { 0 }] };
    let image = context.image_in(CL_MEM_READ_ONLY, &setup.desc(), pitches, Some(&buffer))?;
    setup.holds(&image, &layout.tight(&bytes), "in a buffer")?;
    let color = 0x5a5;
    queue.fill_image(&image, setup.whole(), &[color; 4])?;
    let filled = pixel::encode(setup.format, Color::Unsigned([color; 4]));
    for (y, z) in layout.rows() {
        let row = &mut bytes[layout.at(y, z)..][..layout.block.size(setup.size[0])];
        row.chunks_mut(layout.block.bytes)
            .for_each(|block| block.copy_from_slice(&filled[..layout.block.bytes]));
    }
    let mut back = vec![0_u8; bytes.len()];
    queue.read(&buffer, &mut back)?;
    ensure!(back == bytes, "filled, {:x?}: {back:x?} is not {bytes:x?}", setup.format);
    setup.holds(&image, &layout.tight(&bytes), "filled")
}

/// An image in the application's memory, mapped and unmapped.
fn in_host_memory(setup: &Setup<'_>, random: &mut Random, flags: u64) -> Result<()> {
    let layout = ByteLayout::new(setup.case, setup.size, setup.format.block(), 3);
    let mut bytes: Vec<u8> = (0..layout.bytes()).map(|_| random.next().to_le_bytes()[0]).collect();
    let before = bytes.clone();
    let pitches = [layout.row, if setup.case.kind.has_slices() { layout.slice } else { 0 }];
    // SAFETY: the memory outlives the image; the test reads it only while the image is mapped.
    let image = unsafe {
        setup.bench.context.image_on(
            CL_MEM_READ_ONLY | flags,
            &setup.desc(),
            pitches,
            &mut bytes,
        )?
    };
    setup.holds(&image, &layout.tight(&before), "on the application's memory")?;
    let queue = &setup.bench.queue;
    let (at, seen) = queue.map_image(&image, CL_MAP_READ | CL_MAP_WRITE, setup.whole())?;
    let mut wanted = before.clone();
    for (y, z) in layout.rows() {
        let (slice, row) = if layout.rows_are_slices { (y, 0) } else { (z, y) };
        let start = row * seen[0] + slice * seen[1];
        let length = layout.block.size(setup.size[0]);
        // SAFETY: a row of the mapped region, by its pitches; no other code accesses it meanwhile.
        let mapped = unsafe { std::slice::from_raw_parts_mut(at.wrapping_add(start), length) };
        let there = &mut wanted[layout.at(y, z)..][..length];
        ensure!(mapped == there, "the map shows {mapped:x?}, not {there:x?}");
        there.iter_mut().for_each(|b| *b ^= 0x96);
        mapped.copy_from_slice(there);
    }
    queue.unmap_image(&image, at)?;
    setup.holds(&image, &layout.tight(&wanted), "after the unmap")
}

/// Regions that begin and end inside a block of packed pixels: copied to another image, copied
/// through a buffer, filled.
fn parts(setup: &Setup<'_>, random: &mut Random) -> Result<()> {
    let (context, queue) = (&setup.bench.context, &setup.bench.queue);
    let layout = ByteLayout::new(setup.case, setup.size, setup.format.block(), 0);
    let mut content =
        || -> Vec<u8> { (0..layout.bytes()).map(|_| random.next().to_le_bytes()[0]).collect() };
    let (from, mut wanted) = (content(), content());
    let block = layout.block;
    let memory = [context.buffer_with(&from)?, context.buffer_with(&wanted)?];
    let rows = setup.case.kind == Kind::Image1DBuffer;
    let make =
        |n: usize| context.image(CL_MEM_READ_ONLY, &setup.desc(), rows.then_some(&memory[n]));
    let (a, b) = (make(0)?, make(1)?);
    queue.write_image(&a, setup.whole(), &from)?;
    queue.write_image(&b, setup.whole(), &wanted)?;
    let [width, second, third] = setup.size;
    let origin = [block.pixels, usize::from(second > 1), usize::from(third > 1), 0];
    let region =
        [width - 2 * block.pixels, second.saturating_sub(2).max(1), third.saturating_sub(2).max(1)];
    // The bytes of a region, row by row.
    let part = |origin: [usize; 4]| {
        let (layout, length) = (&layout, block.size(region[0]));
        (0..region[2]).flat_map(move |z| {
            (0..region[1]).map(move |y| {
                let start = layout.at(origin[1] + y, origin[2] + z) + block.size(origin[0]);
                start..start + length
            })
        })
    };
    queue.copy_image(&a, (origin, region), &b, [0; 4])?;
    part(origin)
        .zip(part([0; 4]))
        .for_each(|(from_here, to)| wanted[to].copy_from_slice(&from[from_here]));
    setup.holds(&b, &wanted, "copied")?;
    let size = block.size(region[0]) * region[1] * region[2];
    let buffer = context.buffer(0, size + 3)?;
    queue.image_to_buffer(&a, ([0; 4], region), &buffer, 3)?;
    queue.buffer_to_image(&buffer, 3, &b, (origin, region))?;
    part([0; 4])
        .zip(part(origin))
        .for_each(|(from_here, to)| wanted[to].copy_from_slice(&from[from_here]));
    setup.holds(&b, &wanted, "through a buffer")?;
    // A colour that is too large saturates.
    queue.fill_image(&b, (origin, region), &[0xffff_fff0; 4])?;
    part(origin).for_each(|to| wanted[to].fill(0xff));
    setup.holds(&b, &wanted, "filled")
}

/// Both formats.
pub(crate) fn shared_bytes(device: Device, case: &Case) -> Result<()> {
    let mut random = Random::new(case.pixels() as u64 + 17);
    let bits = [(channel::UNSIGNED_INT_RAW10, 10), (channel::UNSIGNED_INT_RAW12, 12)];
    for (format, bits) in
        bits.into_iter().filter_map(|(c, bits)| Some((Format::new(order::R, c)?, bits)))
    {
        let block = format.block();
        let size = [block.pixels * 7, case.size[1], case.size[2]];
        let setup = Setup { bench: Bench::new(device, &source(case))?, case, format, size };
        parts(&setup, &mut random)?;
        let layout = ByteLayout::new(case, size, block, 0);
        let memory = setup.bench.context.buffer_with(&vec![0x33_u8; layout.bytes()])?;
        let rows = case.kind == Kind::Image1DBuffer;
        let image =
            setup.bench.context.image(CL_MEM_READ_ONLY, &setup.desc(), rows.then_some(&memory))?;
        let facts = setup.run("type", &image, 4)?;
        let width = u32::try_from(size[0])?;
        ensure!(
            facts == [width, format.channel(), format.order(), bits],
            "{facts:x?} of {format:x?}"
        );
        in_a_buffer(&setup, &mut random, 0)?;
        if !rows {
            if case.kind != Kind::Image1D {
                in_a_buffer(&setup, &mut random, 2)?;
            }
            in_host_memory(&setup, &mut random, CL_MEM_COPY_HOST_PTR)?;
            in_host_memory(&setup, &mut random, CL_MEM_USE_HOST_PTR)?;
        }
    }
    Ok(())
}
