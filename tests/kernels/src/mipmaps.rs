//! Mipmapped images: every level in kernels and in commands, and sampling at a level of detail,
//! compared with `muxcl-img`.
//!
//! Not here: sampling within a level (`images`), error codes (`tests/api`).

use anyhow::{Context as _, Result, ensure};
use muxcl_client::sys::{CL_MAP_READ, CL_MEM_READ_WRITE};
use muxcl_client::{Area, Device, Image, ImageDesc};
use muxcl_img::format::{channel, order};
use muxcl_img::layout::{Desc, Layout};
use muxcl_img::pixel::{self, Color};
use muxcl_img::sampler::{Addressing, Lod, Sampler, gradient_lod};
use muxcl_img::{Format, mipmap};

use crate::images::{Bench, Case, Random, words};

const CL_SAMPLER_MIP_FILTER_MODE: u32 = 0x1155;
const CL_SAMPLER_LOD_MIN: u32 = 0x1156;
const CL_SAMPLER_LOD_MAX: u32 = 0x1157;

/// An image with all possible levels, and the expected contents of each.
struct Mipmap<'a> {
    case: &'a Case,
    format: Format,
    image: Image,
    layouts: Vec<Layout>,
    content: Vec<Vec<u8>>,
}

impl<'a> Mipmap<'a> {
    fn new(bench: &Bench, case: &'a Case, format: Format, random: &mut Random) -> Result<Self> {
        let [width, second, third] = case.size;
        let layers = if case.dims() == 1 { second } else { third };
        let desc = Desc {
            kind: case.kind,
            width,
            height: second,
            depth: third,
            layers,
            ..Desc::default()
        };
        let base = Layout::of(&desc, format, false).ok().context("a layout")?;
        let levels = mipmap::most(case.kind, &base);
        let object = (format.order(), format.channel());
        let desc = ImageDesc { kind: case.object, format: object, size: case.size, layers, levels };
        let image = bench.context.image(CL_MEM_READ_WRITE, &desc, None)?;
        let layouts: Vec<_> = (0..levels).map(|n| mipmap::level(case.kind, &base, n).1).collect();
        let content =
            layouts.iter().map(|l| random.bytes(format, l.extent.iter().product())).collect();
        let made = Self { case, format, image, layouts, content };
        for n in 0..made.layouts.len() {
            bench.queue.write_image(&made.image, made.area(n), &made.content[n])?;
        }
        Ok(made)
    }

    /// An origin within a level.
    fn at(&self, level: usize, origin: [usize; 3]) -> [usize; 4] {
        let mut at = [origin[0], origin[1], origin[2], 0];
        at[self.case.kind.axes()] = level;
        at
    }

    fn area(&self, level: usize) -> Area {
        (self.at(level, [0; 3]), self.layouts[level].extent)
    }

    fn check(&self, bench: &Bench, what: &str) -> Result<()> {
        for (n, wanted) in self.content.iter().enumerate() {
            let mut back = vec![0_u8; wanted.len()];
            bench.queue.read_image(&self.image, self.area(n), &mut back)?;
            ensure!(&back == wanted, "{what}, level {n}: {back:x?} is not {wanted:x?}");
        }
        Ok(())
    }

    /// A pixel of a level.
    fn texel(&self, level: usize, at: [usize; 3]) -> [f32; 4] {
        let ([w, h, _], size) = (self.layouts[level].extent, self.format.pixel_size());
        let index = at[0] + w * (at[1] + h * at[2]);
        match pixel::decode(self.format, &self.content[level][index * size..(index + 1) * size]) {
            Color::Float(v) => v,
            other => words(other).map(f32::from_bits),
        }
    }
}

fn format(case: &Case, nth: usize) -> Result<Format> {
    let (order, channel) = match (case.depth, nth) {
        (true, _) => (order::DEPTH, channel::FLOAT),
        (false, 0) => (order::RGBA, channel::UNORM_INT8),
        (false, 1) => (order::RGBA, channel::FLOAT),
        _ => (order::RG, channel::UNSIGNED_INT16),
    };
    Format::new(order, channel).context("no such format")
}

/// Commands and kernel writes affect exactly the level that they name.
pub(crate) fn levels(device: Device, case: &Case) -> Result<()> {
    let (name, int) = (case.name, case.at("int"));
    let place = "int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);\n  \
                 size_t i = x + get_global_size(0) * (y + get_global_size(1) * z);";
    let (letter, four) = if case.depth { ("f", "float") } else { ("ui", "uint4") };
    let source = format!(
        "kernel void store(write_only {name}_t m, int lod, global const {four} *in) {{\n  {place}\n  \
         write_image{letter}(m, {int}, lod, in[i]);\n}}\n\
         kernel void base(read_only {name}_t m, global {four} *out, global int *levels) {{\n  {place}\n  \
         out[i] = read_image{letter}(m, {int}); *levels = get_image_num_mip_levels(m);\n}}\n"
    );
    let bench = Bench::new(device, &source)?;
    let mut random = Random::new(5);
    let format = format(case, 2)?;
    let mut m = Mipmap::new(&bench, case, format, &mut random)?;
    let mut other = Mipmap::new(&bench, case, format, &mut random)?;
    m.check(&bench, "write")?;
    let size = format.pixel_size();
    let channels = if case.depth { 1 } else { 4 };
    for level in 0..m.layouts.len() {
        let extent = m.layouts[level].extent;
        let count: usize = extent.iter().product();
        let colors: Vec<u32> = (0..count * channels)
            .map(|_| if case.depth { random.next() >> 2 } else { random.next() & 0xffff })
            .collect();
        let from = bench.context.buffer_with(&colors)?;
        let mut kernel = bench.program.kernel("store")?;
        kernel.set_image(0, &m.image)?;
        kernel.set(1, i32::try_from(level)?)?;
        kernel.set_buffer(2, &from)?;
        bench.queue.run(&kernel, &extent, None, None)?;
        for (n, color) in colors.chunks(channels).enumerate() {
            let mut given = [0; 4];
            given[..channels].copy_from_slice(color);
            let bytes = pixel::encode(format, pixel::fill_color(format, given));
            m.content[level][n * size..(n + 1) * size].copy_from_slice(&bytes[..size]);
        }
        m.check(&bench, "a kernel's write")?;
        // Writes to a level that does not exist have no effect.
        let mut kernel = bench.program.kernel("store")?;
        kernel.set_image(0, &m.image)?;
        kernel.set(1, if level == 0 { -1 } else { i32::try_from(m.layouts.len())? })?;
        kernel.set_buffer(2, &bench.context.buffer_with(&vec![7_u32; count * channels])?)?;
        bench.queue.run(&kernel, &extent, None, None)?;
        m.check(&bench, "a write to no level")?;
        // Copies between a level and the same level of another image, and back through a buffer.
        bench.queue.copy_image(&m.image, m.area(level), &other.image, other.at(level, [0; 3]))?;
        other.content[level] = m.content[level].clone();
        other.check(&bench, "copy")?;
        let last = extent.map(|n| n - 1);
        let buffer = bench.context.buffer(CL_MEM_READ_WRITE, size)?;
        bench.queue.image_to_buffer(&m.image, (m.at(level, last), [1; 3]), &buffer, 0)?;
        bench.queue.buffer_to_image(&buffer, 0, &m.image, (m.at(level, [0; 3]), [1; 3]))?;
        let pixel = m.content[level][(count - 1) * size..].to_vec();
        m.content[level][..size].copy_from_slice(&pixel);
        m.check(&bench, "through a buffer")?;
        // Copies between levels of the same image.
        let next = (level + 1) % m.layouts.len();
        if next != level {
            bench.queue.copy_image(
                &m.image,
                (m.at(level, [0; 3]), [1; 3]),
                &m.image,
                m.at(next, [0; 3]),
            )?;
            m.content[next][..size].copy_from_slice(&pixel);
            m.check(&bench, "between levels")?;
        }
        let color = if case.depth { [0.5_f32.to_bits(); 4] } else { [9, 8, 7, 6] };
        bench.queue.fill_image(&m.image, (m.at(level, last), [1; 3]), &color)?;
        let bytes = pixel::encode(format, pixel::fill_color(format, color));
        m.content[level][(count - 1) * size..].copy_from_slice(&bytes[..size]);
        m.check(&bench, "fill")?;
        let (at, pitches) = bench.queue.map_image(&m.image, CL_MAP_READ, m.area(level))?;
        let layout = &m.layouts[level];
        ensure!(
            pitches == [layout.row_pitch, layout.slice_pitch],
            "level {level}: pitches {pitches:?}"
        );
        // SAFETY: a level has no gaps, and the whole level is mapped.
        let seen = unsafe { std::slice::from_raw_parts(at, layout.size) };
        ensure!(seen == m.content[level], "level {level} mapped");
        bench.queue.unmap_image(&m.image, at)?;
    }
    // A command without a level accesses the first level.
    let count: usize = case.size.iter().product();
    let mut seen = vec![0_u32; count * channels];
    let (out, number) = (bench.context.buffer_with(&seen)?, bench.context.buffer_with(&[0_u32])?);
    let mut kernel = bench.program.kernel("base")?;
    kernel.set_image(0, &m.image)?;
    kernel.set_buffer(1, &out)?;
    kernel.set_buffer(2, &number)?;
    bench.queue.run(&kernel, &case.size, None, None)?;
    bench.queue.read(&out, &mut seen)?;
    for (n, bytes) in m.content[0].chunks(size).enumerate() {
        let wanted = words(pixel::decode(format, bytes));
        ensure!(
            seen[n * channels..][..channels] == wanted[..channels],
            "pixel {n} of the first level"
        );
    }
    let mut levels = [0_u32];
    bench.queue.read(&number, &mut levels)?;
    ensure!(levels[0] as usize == m.layouts.len(), "{} levels", levels[0]);
    Ok(())
}

/// Level selection and weights of samplers, for explicit levels of detail and for gradients.
pub(crate) fn sampling(device: Device, case: &Case) -> Result<()> {
    let (name, float) = (case.name, case.at("float"));
    let four = if case.depth { "float" } else { "float4" };
    let gradient = |at: &str| match case.dims() {
        1 => format!("{at}[0]"),
        2 => format!("(float2)({at}[0], {at}[1])"),
        _ => format!("(float4)({at}[0], {at}[1], {at}[2], 0)"),
    };
    let place = "size_t i = get_global_id(0); float x = at[3 * i], y = at[3 * i + 1], z = at[3 * i + 2];\n  \
                 global const float *g = grad + 7 * i;";
    let source = format!(
        "kernel void lod(read_only {name}_t m, sampler_t s, global const float *at, global const float *grad, \
             global {four} *out) {{\n  {place}\n  out[i] = read_imagef(m, s, {float}, g[6]);\n}}\n\
             kernel void grad(read_only {name}_t m, sampler_t s, global const float *at, global const float *grad, \
             global {four} *out) {{\n  {place}\n  out[i] = read_imagef(m, s, {float}, {}, {});\n}}\n",
        gradient("g"),
        gradient("(g + 3)")
    );
    let bench = Bench::new(device, &source)?;
    let mut random = Random::new(9);
    let bounds = [Lod::default(), Lod { min: 0.5, max: 1.25, ..Lod::default() }];
    for format in (0..2).map(|n| format(case, n)) {
        let m = Mipmap::new(&bench, case, format?, &mut random)?;
        for (linear, lod) in
            [(false, bounds[0]), (true, bounds[0]), (false, bounds[1]), (true, bounds[1])]
        {
            for between in [false, true] {
                let lod = Lod { linear: between, ..lod };
                one_sampler(&bench, &m, linear, lod, &mut random)?;
            }
        }
    }
    Ok(())
}

fn one_sampler(
    bench: &Bench,
    m: &Mipmap<'_>,
    linear: bool,
    lod: Lod,
    random: &mut Random,
) -> Result<()> {
    const COUNT: usize = 48;
    let (case, dims) = (m.case, m.case.dims());
    let sampler = Sampler { normalized: true, addressing: Addressing::ClampToEdge, linear };
    let properties = [
        (CL_SAMPLER_MIP_FILTER_MODE, 0x1140 + u64::from(lod.linear)),
        (CL_SAMPLER_LOD_MIN, lod.min.to_bits().into()),
        (CL_SAMPLER_LOD_MAX, lod.max.to_bits().into()),
    ];
    let object =
        bench.context.sampler_with(true, 0x1131, 0x1140 + u32::from(linear), &properties)?;
    let mut unit = || f32::from(u16::try_from(random.next() % 1000).unwrap_or(0)) / 1000.0;
    // Odd multiples of 1/64, which never lie on a pixel border of any level. Layers are integers.
    let at: Vec<f32> = (0..COUNT * 3)
        .map(|n| {
            let axis = n % 3;
            let layer = axis >= dims;
            if layer { (unit() * case.size[axis] as f32).floor() } else { unit() * 0.97 + 0.0137 }
        })
        .collect();
    // Gradients of up to two pixels of the middle level, and levels of detail from -1 to 5.
    let more: Vec<f32> = (0..COUNT * 7)
        .map(|n| if n % 7 == 6 { unit() * 6.0 - 1.0 } else { unit() * 0.6 })
        .collect();
    let (coordinates, gradients) =
        (bench.context.buffer_with(&at)?, bench.context.buffer_with(&more)?);
    let channels = if case.depth { 1 } else { 4 };
    for kind in ["lod", "grad"] {
        let mut seen = vec![0_f32; COUNT * channels];
        let out = bench.context.buffer_with(&seen)?;
        let mut kernel = bench.program.kernel(kind)?;
        kernel.set_image(0, &m.image)?;
        kernel.set_sampler(1, &object)?;
        kernel.set_buffer(2, &coordinates)?;
        kernel.set_buffer(3, &gradients)?;
        kernel.set_buffer(4, &out)?;
        bench.queue.run(&kernel, &[COUNT], None, None)?;
        bench.queue.read(&out, &mut seen)?;
        for (n, (place, more)) in at.chunks(3).zip(more.chunks(7)).enumerate() {
            let detail = match kind {
                "lod" => more[6],
                _ => gradient_lod(&more[..dims], &more[3..3 + dims], &case.size[..dims]),
            };
            let wanted = expected(m, sampler, lod, place, detail);
            let got = &seen[n * channels..][..channels];
            // The error of a logarithm affects the weight between levels.
            let same = got
                .iter()
                .zip(wanted)
                .all(|(a, b)| (f64::from(*a) - b).abs() <= 4e-5 * b.abs().max(1.0));
            ensure!(
                same,
                "{kind} {lod:?} {linear} at {place:?}, {detail}: {got:?} is not {wanted:?}"
            );
        }
    }
    Ok(())
}

fn expected(m: &Mipmap<'_>, sampler: Sampler, lod: Lod, place: &[f32], detail: f32) -> [f64; 4] {
    let dims = m.case.dims();
    let mut sum = [0.0; 4];
    let count = u32::try_from(m.layouts.len()).unwrap_or(1);
    for (level, weight) in lod.levels(detail, count) {
        let level = level as usize;
        let extent = m.layouts[level].extent;
        let texel = |p: &[usize]| {
            let mut full = [0; 3];
            full[..p.len()].copy_from_slice(p);
            if m.case.kind.is_array() {
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "the coordinates in this test are whole numbers"
                )]
                let layer = place[dims] as usize;
                full[dims] = layer.min(extent[dims] - 1);
            }
            m.texel(level, full)
        };
        let at: Vec<f64> = place[..dims].iter().map(|c| f64::from(*c)).collect();
        let color = sampler.sample(&at, &extent[..dims], &texel, [0.0; 4]);
        sum.iter_mut().zip(color).for_each(|(s, c)| *s += weight * c);
    }
    sum
}
