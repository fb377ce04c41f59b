//! Images: every format with every kind of image, in kernels and in commands, compared with
//! `muxcl-img`.
//!
//! Invariant: expected values come from `muxcl_img::{pixel, sampler}`, which share no code with the
//! driver's kernels. Not here: error codes (`tests/api`).

use std::collections::BTreeSet;

use anyhow::{Context as _, Result, ensure};
use libtest_mimic::{Failed, Trial};
use muxcl_client::sys::{
    CL_DEVICE_EXTENSIONS, CL_DEVICE_IMAGE_SUPPORT, CL_MAP_READ, CL_MAP_WRITE, CL_MEM_COPY_HOST_PTR,
    CL_MEM_READ_WRITE, CL_MEM_USE_HOST_PTR,
};
use muxcl_client::{Area, Buffer, Context, Device, Image, ImageDesc, Program, Queue};
use muxcl_img::format::{Class, channel, order};
use muxcl_img::pixel::{self, Color};
use muxcl_img::sampler::{Addressing, Sampler};
use muxcl_img::{Format, Kind};

use crate::{block_images, image_buffers, mipmaps, raw_images};

/// A kind of image by its name in kernels, with its size and the expression that makes a coordinate
/// from x, y, z.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    pub(crate) object: u32,
    pub(crate) size: [usize; 3],
    coordinate: &'static str,
    pub(crate) depth: bool,
}

const fn case(
    name: &'static str,
    kind: Kind,
    object: u32,
    size: [usize; 3],
    coordinate: &'static str,
) -> Case {
    Case { name, kind, object, size, coordinate, depth: false }
}

/// The axis of array layers: the third; for 1D arrays the second.
pub(crate) const CASES: [Case; 8] = [
    case("image1d", Kind::Image1D, 0x10F4, [13, 1, 1], "x"),
    case("image1d_buffer", Kind::Image1DBuffer, 0x10F6, [13, 1, 1], "x"),
    case("image1d_array", Kind::Image1DArray, 0x10F5, [7, 3, 1], "(INT2)(x, y)"),
    case("image2d", Kind::Image2D, 0x10F1, [7, 5, 1], "(INT2)(x, y)"),
    case("image2d_array", Kind::Image2DArray, 0x10F3, [5, 3, 4], "(INT4)(x, y, z, 0)"),
    case("image3d", Kind::Image3D, 0x10F2, [5, 4, 3], "(INT4)(x, y, z, 0)"),
    Case { depth: true, ..case("image2d_depth", Kind::Image2D, 0x10F1, [7, 5, 1], "(INT2)(x, y)") },
    Case {
        depth: true,
        ..case("image2d_array_depth", Kind::Image2DArray, 0x10F3, [5, 3, 4], "(INT4)(x, y, z, 0)")
    },
];

impl Case {
    /// Number of filtered axes. The axis after them may be the layer.
    pub(crate) fn dims(&self) -> usize {
        match self.kind {
            Kind::Image1D | Kind::Image1DBuffer | Kind::Image1DArray => 1,
            Kind::Image2D | Kind::Image2DArray => 2,
            Kind::Image3D => 3,
        }
    }

    /// The same kind with another size.
    pub(crate) fn sized(&self, size: [usize; 3]) -> Self {
        Self { size, ..*self }
    }

    pub(crate) fn pixels(&self) -> usize {
        self.size.iter().product()
    }

    pub(crate) fn whole(&self) -> Area {
        ([0; 4], self.size)
    }

    /// A coordinate, integer or float.
    pub(crate) fn at(&self, kind: &str) -> String {
        self.coordinate.replace("INT", kind)
    }

    /// The kinds that these kernels also write; `raw_images` tests the others.
    pub(crate) fn formats(&self) -> impl Iterator<Item = Format> {
        let depth = self.depth;
        Format::supported().filter(move |f| f.is_depth() == depth && f.is_writable())
    }

    pub(crate) fn make(
        &self,
        context: &Context,
        format: Format,
    ) -> Result<(Image, Option<Buffer>)> {
        let [width, second, third] = self.size;
        let layers = if self.kind == Kind::Image1DArray { second } else { third };
        let desc = ImageDesc {
            kind: self.object,
            format: (format.order(), format.channel()),
            size: [width, second, third],
            layers,
            levels: 0,
        };
        let buffer = match self.kind {
            Kind::Image1DBuffer => {
                Some(context.buffer(CL_MEM_READ_WRITE, width * format.pixel_size())?)
            }
            _ => None,
        };
        Ok((context.image(CL_MEM_READ_WRITE, &desc, buffer.as_ref())?, buffer))
    }

    /// Kernels that copy every pixel between an image and a buffer of `four` channels, and kernels
    /// that query the image.
    pub(crate) fn source(&self) -> String {
        let (name, int) = (self.name, self.at("int"));
        let place = "int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);\n  \
                     size_t i = x + get_global_size(0) * (y + get_global_size(1) * z);";
        let mut text = String::new();
        let letters: &[(&str, &str)] = if self.depth {
            &[("f", "float")]
        } else {
            &[("f", "float4"), ("i", "int4"), ("ui", "uint4")]
        };
        for (letter, four) in letters {
            text += &format!(
                "kernel void load_{letter}(read_only {name}_t m, global {four} *out) {{\n  {place}\n  \
                 out[i] = read_image{letter}(m, {int});\n}}\n\
                 kernel void store_{letter}(write_only {name}_t m, global const {four} *in) {{\n  {place}\n  \
                 write_image{letter}(m, {int}, in[i]);\n}}\n\
                 kernel void both_{letter}(read_write {name}_t m, global {four} *out) {{\n  {place}\n  \
                 {four} v = read_image{letter}(m, {int});\n  out[i] = v;\n  write_image{letter}(m, {int}, v);\n}}\n"
            );
        }
        let height = if self.kind.has_height() { "get_image_height(m)" } else { "1" };
        let depth = if self.kind == Kind::Image3D { "get_image_depth(m)" } else { "1" };
        let layers = if self.kind.is_array() { "(int)get_image_array_size(m)" } else { "1" };
        text += &format!(
            "kernel void facts(read_only {name}_t m, global int *out) {{\n  \
             out[0] = get_image_width(m); out[1] = {height}; out[2] = {depth}; out[3] = {layers};\n  \
             out[4] = get_image_channel_order(m); out[5] = get_image_channel_data_type(m);\n}}\n"
        );
        text
    }

    /// Kernels that sample at floating-point coordinates, with a sampler argument and with a
    /// sampler in the source.
    fn sampling(&self, sampler: Sampler) -> String {
        let (name, float) = (self.name, self.at("float"));
        let four = if self.depth { "float" } else { "float4" };
        let literal = sampler.bits();
        let place = "size_t i = get_global_id(0); float x = at[3 * i], y = at[3 * i + 1], z = at[3 * i + 2];";
        format!(
            "constant sampler_t literal = {literal};\n\
             kernel void given(read_only {name}_t m, sampler_t s, global const float *at, global {four} *out) {{\n  {place}\n  \
             out[i] = read_imagef(m, s, {float});\n}}\n\
             kernel void constants(read_only {name}_t m, global const float *at, global {four} *out) {{\n  {place}\n  \
             out[i] = read_imagef(m, literal, {float});\n}}\n"
        )
    }
}

/// Random contents of images from a fixed seed.
pub(crate) struct Random(fastrand::Rng);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(fastrand::Rng::with_seed(seed))
    }

    /// 31 random bits.
    pub(crate) fn next(&mut self) -> u32 {
        self.0.u32(..) >> 1
    }

    pub(crate) fn bytes(&mut self, format: Format, pixels: usize) -> Vec<u8> {
        let mut all: Vec<u8> =
            (0..pixels * format.pixel_size()).map(|_| self.next().to_le_bytes()[0]).collect();
        // Avoids NaN, infinity, and non-zero unused bits.
        match format.channel() {
            channel::FLOAT => {
                all.iter_mut().skip(3).step_by(4).for_each(|b| *b = (*b & 0x80) | (0x3e + (*b & 3)))
            }
            channel::HALF_FLOAT => all.iter_mut().skip(1).step_by(2).for_each(|b| *b &= 0xbb),
            channel::UNORM_SHORT_555 => all.iter_mut().skip(1).step_by(2).for_each(|b| *b &= 0x7f),
            channel::UNORM_INT_101010 => all.iter_mut().skip(3).step_by(4).for_each(|b| *b &= 0x3f),
            _ => {}
        }
        all
    }
}

/// A pixel as words, as kernels read and write it: four words, or one for depth.
pub(crate) fn words(color: Color) -> [u32; 4] {
    match color {
        Color::Float(v) => v.map(f32::to_bits),
        Color::Signed(v) => v.map(i32::cast_unsigned),
        Color::Unsigned(v) => v,
    }
}

pub(crate) fn letter(format: Format) -> &'static str {
    match format.class() {
        Class::Float => "f",
        Class::Signed => "i",
        Class::Unsigned => "ui",
    }
}

/// The maximum error between two floats of a format by section 8.3 of the specification.
pub(crate) fn close(a: f32, b: f32) -> bool {
    a.to_bits() == b.to_bits() || (a - b).abs() <= 2.5e-7 * b.abs().max(1e-6)
}

pub(crate) struct Bench {
    pub(crate) context: Context,
    pub(crate) queue: Queue,
    pub(crate) program: Program,
}

impl Bench {
    pub(crate) fn new(device: Device, source: &str) -> Result<Self> {
        let context = Context::new(device)?;
        let program = context.build(device, source, "-cl-std=CL3.0")?;
        Ok(Self { queue: context.queue(device, 0)?, program, context })
    }

    pub(crate) fn load(&self, kernel: &str, case: &Case, image: &Image) -> Result<Vec<u32>> {
        let channels = if case.depth { 1 } else { 4 };
        let mut seen = vec![0_u32; case.pixels() * channels];
        let out = self.context.buffer_with(&seen)?;
        let mut kernel = self.program.kernel(kernel)?;
        kernel.set_image(0, image)?;
        kernel.set_buffer(1, &out)?;
        self.queue.run(&kernel, &case.size, None, None)?;
        self.queue.read(&out, &mut seen)?;
        Ok(seen)
    }
}

/// Reads, writes and queries in kernels, for every format.
fn formats(device: Device, case: &Case) -> Result<()> {
    let bench = Bench::new(device, &case.source())?;
    let mut random = Random::new(case.pixels() as u64);
    for format in case.formats() {
        let (image, _buffer) = case.make(&bench.context, format)?;
        let bytes = random.bytes(format, case.pixels());
        bench.queue.write_image(&image, case.whole(), &bytes)?;
        let channels = if case.depth { 1 } else { 4 };
        for kernel in ["load", "both"] {
            let seen = bench.load(&format!("{kernel}_{}", letter(format)), case, &image)?;
            for (n, pixel) in bytes.chunks(format.pixel_size()).enumerate() {
                let wanted = &words(pixel::decode(format, pixel))[..channels];
                let got = &seen[n * channels..][..channels];
                let same = match format.class() {
                    Class::Float => got
                        .iter()
                        .zip(wanted)
                        .all(|(a, b)| close(f32::from_bits(*a), f32::from_bits(*b))),
                    _ => got == wanted,
                };
                ensure!(same, "{kernel} {format:x?}, pixel {n}: {got:x?} is not {wanted:x?}");
            }
        }
        // A pixel that was read and written back is unchanged, except for the second encoding of
        // -1.
        let mut back = vec![0_u8; bytes.len()];
        bench.queue.read_image(&image, case.whole(), &mut back)?;
        for (a, b) in bytes.chunks(format.pixel_size()).zip(back.chunks(format.pixel_size())) {
            let wanted = pixel::encode(format, pixel::decode(format, a));
            ensure!(b == &wanted[..b.len()], "{format:x?}: {a:?} came back as {b:?}");
        }
        store(&bench, case, format, &image, &mut random)?;
        let facts = bench.context.buffer_with(&[0_i32; 6])?;
        let mut kernel = bench.program.kernel("facts")?;
        kernel.set_image(0, &image)?;
        kernel.set_buffer(1, &facts)?;
        bench.queue.run(&kernel, &[1], None, None)?;
        let mut seen = [0_usize; 3].map(|_| 0_u32).to_vec();
        seen.resize(6, 0);
        bench.queue.read(&facts, &mut seen)?;
        let [w, s, t] = case.size.map(|n| u32::try_from(n).unwrap_or(0));
        let wanted = match case.kind {
            Kind::Image1D | Kind::Image1DBuffer => [w, 1, 1, 1],
            Kind::Image1DArray => [w, 1, 1, s],
            Kind::Image2D => [w, s, 1, 1],
            Kind::Image2DArray => [w, s, 1, t],
            Kind::Image3D => [w, s, t, 1],
        };
        ensure!(seen[..4] == wanted, "{:?} is not {wanted:?}", &seen[..4]);
        ensure!(
            seen[4..] == [format.order(), format.channel()],
            "{:x?} is not {format:x?}",
            &seen[4..]
        );
    }
    Ok(())
}

/// Writes in kernels: random colours, some out of range.
fn store(
    bench: &Bench,
    case: &Case,
    format: Format,
    image: &Image,
    random: &mut Random,
) -> Result<()> {
    let channels = if case.depth { 1 } else { 4 };
    let colors: Vec<u32> = (0..case.pixels() * channels)
        .map(|_| match format.class() {
            Class::Float => ((random.next() & 0xffff) as f32 / 40000.0 - 0.3).to_bits(),
            // Magnitudes of all orders.
            _ => (random.next() << 1) >> (random.next() % 31),
        })
        .collect();
    let from = bench.context.buffer_with(&colors)?;
    let mut kernel = bench.program.kernel(&format!("store_{}", letter(format)))?;
    kernel.set_image(0, image)?;
    kernel.set_buffer(1, &from)?;
    bench.queue.run(&kernel, &case.size, None, None)?;
    let mut back = vec![0_u8; case.pixels() * format.pixel_size()];
    bench.queue.read_image(image, case.whole(), &mut back)?;
    for (n, (got, color)) in
        back.chunks(format.pixel_size()).zip(colors.chunks(channels)).enumerate()
    {
        let mut four = [0; 4];
        four[..channels].copy_from_slice(color);
        let wanted = pixel::encode(format, pixel::fill_color(format, four));
        let wanted = &wanted[..got.len()];
        // If the product is half-way between two values, both are right.
        let near = format.class() == Class::Float
            && format.channel_size() <= 2
            && !format.is_packed()
            && got.chunks(format.channel_size()).zip(wanted.chunks(format.channel_size())).all(
                |(a, b)| {
                    let value =
                        |c: &[u8]| c.iter().rev().fold(0_i32, |all, b| all << 8 | i32::from(*b));
                    (value(a) - value(b)).abs() <= 1
                },
            );
        ensure!(
            got == wanted || near,
            "write {format:x?}, pixel {n}, {four:x?}: {got:x?} is not {wanted:x?}"
        );
    }
    Ok(())
}

const ADDRESSING: [(Addressing, u32); 5] = [
    (Addressing::None, 0x1130),
    (Addressing::ClampToEdge, 0x1131),
    (Addressing::Clamp, 0x1132),
    (Addressing::Repeat, 0x1133),
    (Addressing::MirroredRepeat, 0x1134),
];

/// A few formats that differ in border colour and decoding.
fn sampled(case: &Case) -> Vec<Format> {
    let list = if case.depth {
        vec![(order::DEPTH, channel::FLOAT), (order::DEPTH, channel::UNORM_INT16)]
    } else {
        vec![
            (order::RGBA, channel::UNORM_INT8),
            (order::RGBA, channel::FLOAT),
            (order::R, channel::HALF_FLOAT),
            (order::BGRA, channel::UNORM_INT8),
            (order::SRGBA, channel::UNORM_INT8),
        ]
    };
    list.into_iter().filter_map(|(order, channel)| Format::new(order, channel)).collect()
}

/// Samplers of every kind, as arguments and in the source.
fn samplers(device: Device, case: &Case) -> Result<()> {
    let mut random = Random::new(7);
    for (addressing, number) in ADDRESSING {
        for (normalized, linear) in [(false, false), (false, true), (true, false), (true, true)] {
            let repeats = matches!(addressing, Addressing::Repeat | Addressing::MirroredRepeat);
            // Only normalized coordinates support repeat modes.
            if repeats && !normalized {
                continue;
            }
            let sampler = Sampler { normalized, addressing, linear };
            let bench = Bench::new(device, &case.sampling(sampler))?;
            let object = bench.context.sampler(normalized, number, 0x1140 + u32::from(linear))?;
            for format in sampled(case) {
                one_sampler(&bench, case, sampler, &object, format, &mut random)?;
            }
        }
    }
    Ok(())
}

fn one_sampler(
    bench: &Bench,
    case: &Case,
    sampler: Sampler,
    object: &muxcl_client::Sampler,
    format: Format,
    random: &mut Random,
) -> Result<()> {
    let (image, _buffer) = case.make(&bench.context, format)?;
    let bytes = random.bytes(format, case.pixels());
    bench.queue.write_image(&image, case.whole(), &bytes)?;
    let dims = case.dims();
    let count = 64;
    let mut at = Vec::new();
    for _ in 0..count {
        for (axis, &size) in case.size.iter().enumerate() {
            let size = f32::from(u16::try_from(size).unwrap_or(1));
            // Multiples of an eighth of a pixel, never on a pixel border; up to two image sizes
            // outside where the addressing mode allows it.
            let range = if sampler.addressing == Addressing::None { 1.0 } else { 5.0 };
            let steps = f32::from(u16::try_from(random.next() % 1000).unwrap_or(0)) / 1000.0;
            let pixel = (steps * size * range).floor()
                + [0.125, 0.375, 0.625, 0.875][random.next() as usize % 4];
            let pixel = if range > 1.0 { pixel - 2.0 * size } else { pixel };
            let layer = axis >= dims;
            at.push(if sampler.normalized && !layer { pixel / size } else { pixel });
        }
    }
    let coordinates = bench.context.buffer_with(&at)?;
    let channels = if case.depth { 1 } else { 4 };
    let mut results = Vec::new();
    for name in ["given", "constants"] {
        let mut seen = vec![0_f32; count * channels];
        let out = bench.context.buffer_with(&seen)?;
        let mut kernel = bench.program.kernel(name)?;
        kernel.set_image(0, &image)?;
        let mut next = 1;
        if name == "given" {
            kernel.set_sampler(1, object)?;
            next = 2;
        }
        kernel.set_buffer(next, &coordinates)?;
        kernel.set_buffer(next + 1, &out)?;
        bench.queue.run(&kernel, &[count], None, None)?;
        bench.queue.read(&out, &mut seen)?;
        results.push(seen);
    }
    let border = [0.0, 0.0, 0.0, if format.border_is_opaque() { 1.0 } else { 0.0 }];
    for (n, place) in at.chunks(3).enumerate() {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "clamped to the image's layers"
        )]
        let layer = |axis: usize| {
            let last = case.size[axis] as f64 - 1.0;
            f64::from(place[axis]).round_ties_even().clamp(0.0, last) as usize
        };
        let texel = |p: &[usize]| {
            let mut full = [0; 3];
            full[..p.len()].copy_from_slice(p);
            if case.kind.is_array() {
                full[dims] = layer(dims);
            }
            let [w, h, _] = case.size;
            let index = full[0] + w * (full[1] + h * full[2]);
            let size = format.pixel_size();
            match pixel::decode(format, &bytes[index * size..(index + 1) * size]) {
                Color::Float(v) => v,
                _ => [f32::NAN; 4],
            }
        };
        let coordinate: Vec<f64> = place[..dims].iter().map(|c| f64::from(*c)).collect();
        let wanted = sampler.sample(&coordinate, &case.size[..dims], &texel, border);
        for (seen, name) in results.iter().zip(["given", "in the source"]) {
            let got = &seen[n * channels..][..channels];
            let same = got
                .iter()
                .zip(wanted)
                .all(|(a, b)| (f64::from(*a) - b).abs() <= 2e-5 * b.abs().max(1.0));
            ensure!(
                same,
                "{sampler:?} {name}, {format:x?} at {place:?}: {got:?} is not {wanted:?}"
            );
        }
    }
    Ok(())
}

/// Copies, fills and regions.
fn commands(device: Device, case: &Case) -> Result<()> {
    let context = Context::new(device)?;
    let queue = context.queue(device, 0)?;
    let mut random = Random::new(3);
    for format in case.formats() {
        let pixel = format.pixel_size();
        let (a, _first) = case.make(&context, format)?;
        let (b, _second) = case.make(&context, format)?;
        let bytes = random.bytes(format, case.pixels());
        let mut wanted = random.bytes(format, case.pixels());
        queue.write_image(&a, case.whole(), &bytes)?;
        queue.write_image(&b, case.whole(), &wanted)?;
        // A region in the middle, as large as possible.
        let origin = case.size.map(|n| usize::from(n > 1));
        let region = case.size.map(|n| n.saturating_sub(2).max(1));
        let at = [origin[0], origin[1], origin[2], 0];
        let [w, h, _] = case.size;
        let each = |f: &mut dyn FnMut(usize, usize)| {
            for z in 0..region[2] {
                for y in 0..region[1] {
                    for x in 0..region[0] {
                        let from = x + w * (y + h * z);
                        f(from, x + origin[0] + w * (y + origin[1] + h * (z + origin[2])));
                    }
                }
            }
        };
        queue.copy_image(&a, ([0; 4], region), &b, at)?;
        each(&mut |from, to| {
            wanted[to * pixel..(to + 1) * pixel]
                .copy_from_slice(&bytes[from * pixel..(from + 1) * pixel]);
        });
        let check = |wanted: &[u8], what: &str| -> Result<()> {
            let mut back = vec![0_u8; wanted.len()];
            queue.read_image(&b, case.whole(), &mut back)?;
            ensure!(back == wanted, "{what}, {format:x?}: {back:x?} is not {wanted:x?}");
            Ok(())
        };
        check(&wanted, "copy")?;
        // Copies through a buffer and back to the origin.
        let count = region.iter().product::<usize>() * pixel;
        let buffer = context.buffer(CL_MEM_READ_WRITE, count + 16)?;
        queue.image_to_buffer(&a, (at, region), &buffer, 16)?;
        queue.buffer_to_image(&buffer, 16, &b, ([0; 4], region))?;
        each(&mut |to, from| {
            wanted[to * pixel..(to + 1) * pixel]
                .copy_from_slice(&bytes[from * pixel..(from + 1) * pixel]);
        });
        check(&wanted, "through a buffer")?;
        let color = match format.class() {
            Class::Float => [0.25_f32, 0.5, 0.75, 1.0].map(f32::to_bits),
            _ => [1, 2, 3, 4],
        };
        queue.fill_image(&b, (at, region), &color)?;
        let filled = pixel::encode(format, pixel::fill_color(format, color));
        each(&mut |_, to| wanted[to * pixel..(to + 1) * pixel].copy_from_slice(&filled[..pixel]));
        check(&wanted, "fill")?;
    }
    Ok(())
}

/// Host memory of the application with gaps between rows and slices: kernels write pixels, maps
/// show them, and the gaps stay unchanged.
fn host_memory(device: Device, case: &Case) -> Result<()> {
    const GAP: u8 = 0xa5;
    let bench = Bench::new(device, &case.source())?;
    let format = if case.depth {
        (order::DEPTH, channel::FLOAT)
    } else {
        (order::RG, channel::UNSIGNED_INT16)
    };
    let format = Format::new(format.0, format.1).context("no such format")?;
    let [width, second, third] = case.size;
    let pixel = format.pixel_size();
    let row = (width + 3) * pixel;
    let (slice, slices) = match case.kind {
        Kind::Image1DArray => (2 * row, second),
        _ => ((second + 1) * row, third),
    };
    let has_slices = case.kind.has_slices();
    let pitches = [row, if has_slices { slice } else { 0 }];
    let mut memory = vec![GAP; slice * slices];
    let place = move |n: usize| {
        let (x, y, z) = (n % width, n / width % second, n / width / second);
        match case.kind {
            Kind::Image1DArray => x * pixel + y * slice,
            _ => x * pixel + y * row + z * slice,
        }
    };
    let mut random = Random::new(11);
    let before = random.bytes(format, case.pixels());
    for (n, bytes) in before.chunks(pixel).enumerate() {
        memory[place(n)..][..pixel].copy_from_slice(bytes);
    }
    let layers = if case.kind == Kind::Image1DArray { second } else { third };
    let desc = ImageDesc {
        kind: case.object,
        format: (format.order(), format.channel()),
        size: [width, second, third],
        layers,
        levels: 0,
    };
    for flags in [CL_MEM_USE_HOST_PTR, CL_MEM_COPY_HOST_PTR] {
        let mut memory = memory.clone();
        // SAFETY: the memory outlives the image. The test accesses it only while the image is
        // mapped or after its release.
        let image = unsafe {
            bench.context.image_on(CL_MEM_READ_WRITE | flags, &desc, pitches, &mut memory)?
        };
        let mut back = vec![0_u8; before.len()];
        bench.queue.read_image(&image, case.whole(), &mut back)?;
        ensure!(back == before, "the content it was made with: {back:x?} is not {before:x?}");
        // A kernel writes every pixel.
        let channels = if case.depth { 1 } else { 4 };
        let colors: Vec<u32> =
            (0..case.pixels() * channels).map(|_| random.next() & 0x3fff_ffff).collect();
        let from = bench.context.buffer_with(&colors)?;
        let mut kernel = bench.program.kernel(&format!("store_{}", letter(format)))?;
        kernel.set_image(0, &image)?;
        kernel.set_buffer(1, &from)?;
        bench.queue.run(&kernel, &case.size, None, None)?;
        let (at, seen) = bench.queue.map_image(&image, CL_MAP_READ | CL_MAP_WRITE, case.whole())?;
        ensure!(
            seen[0] == row && (!has_slices || seen[1] == slice),
            "pitches {seen:?} are not {pitches:?}"
        );
        ensure!(
            (flags == CL_MEM_USE_HOST_PTR) == (at == memory.as_mut_ptr()),
            "where it is mapped"
        );
        for (n, color) in colors.chunks(channels).enumerate() {
            let mut four = [0; 4];
            four[..channels].copy_from_slice(color);
            let wanted = pixel::encode(format, pixel::fill_color(format, four));
            // SAFETY: the pixel is inside the mapped region.
            let start = unsafe { at.add(place(n)) };
            // SAFETY: as above; no other code accesses it meanwhile.
            let bytes = unsafe { std::slice::from_raw_parts_mut(start, pixel) };
            ensure!(
                *bytes == wanted[..pixel],
                "mapped pixel {n}: {bytes:x?} is not {:x?}",
                &wanted[..pixel]
            );
            bytes.copy_from_slice(&before[n * pixel..(n + 1) * pixel]);
        }
        bench.queue.unmap_image(&image, at)?;
        let seen = bench.load(&format!("load_{}", letter(format)), case, &image)?;
        for (n, bytes) in before.chunks(pixel).enumerate() {
            let wanted = &words(pixel::decode(format, bytes))[..channels];
            ensure!(&seen[n * channels..][..channels] == wanted, "pixel {n} after the unmap");
        }
        bench.queue.finish()?;
        drop(image);
        let pixels: BTreeSet<usize> =
            (0..case.pixels()).flat_map(|n| place(n)..place(n) + pixel).collect();
        ensure!(
            (0..memory.len()).all(|n| pixels.contains(&n) || memory[n] == GAP),
            "a gap was written to"
        );
    }
    Ok(())
}

/// The tests of a device; empty without image support.
pub fn trials(target: &str, device: Device) -> Vec<Trial> {
    if device.number(CL_DEVICE_IMAGE_SUPPORT).unwrap_or(0) == 0 {
        return Vec::new();
    }
    let mut trials = Vec::new();
    let has = |name: &str| device.text(CL_DEVICE_EXTENSIONS).is_ok_and(|list| list.contains(name));
    let from_buffer = has("cl_ext_image_from_buffer");
    let raw = has("cl_ext_image_raw10_raw12");
    let blocks = has("cl_intel_subgroups_char");
    let (depth, mipmaps) = (has("cl_khr_depth_images"), has("cl_khr_mipmap_image_writes"));
    for case in CASES.iter().filter(|case| depth || !case.depth) {
        let mut add = |what: &str, test: fn(Device, &Case) -> Result<()>| {
            trials.push(Trial::test(format!("{target}/images/{}/{what}", case.name), move || {
                test(device, case).map_err(|error| Failed::from(format!("{error:#}")))
            }));
        };
        add("formats", formats);
        add("commands", commands);
        if raw && !case.depth && case.kind != Kind::Image3D {
            add("raw", raw_images::shared_bytes);
        }
        if from_buffer {
            add("in_buffers", image_buffers::in_buffers);
        }
        if blocks && case.name == "image2d" {
            add("blocks", block_images::blocks);
        }
        if case.kind != Kind::Image1DBuffer {
            add("host_memory", host_memory);
            add("samplers", samplers);
            // Depth images have one level (specification, section 5.3.1).
            if mipmaps && !case.depth {
                add("mipmaps", mipmaps::levels);
                add("levels_of_detail", mipmaps::sampling);
            }
        }
    }
    trials
}
